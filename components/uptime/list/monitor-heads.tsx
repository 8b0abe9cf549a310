import { SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Head } from "@/components/table/table";

/** The headers of a table of monitors; see `MonitorRow`. */
export function MonitorHeads({
  selectable,
  sorting,
  columns,
}: {
  selectable: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting | undefined;
  columns: ReadonlySet<string>;
}) {
  return (
    <>
      {selectable && <SelectHead noun="monitor" />}
      <SortHead sorting={sorting} by="name">
        Monitor
      </SortHead>
      <SortHead sorting={sorting} by="urgency" className="w-36 max-lg:w-28 max-sm:w-18">
        State
      </SortHead>
      {columns.has("days") && <Head className="w-44 max-lg:w-36 max-sm:w-18 max-[22.5rem]:hidden">30 days</Head>}
      {columns.has("uptime") && (
        <Head numeric className="w-24 max-lg:pr-4! max-sm:w-20">
          Uptime
        </Head>
      )}
      {columns.has("response") && (
        <Head numeric className="w-24 max-lg:hidden">
          Response
        </Head>
      )}
      {columns.has("tags") && <Head className="w-36 max-xl:hidden">Tags</Head>}
      {columns.has("checked") && <Head className="w-36 max-xl:hidden">Checked</Head>}
    </>
  );
}

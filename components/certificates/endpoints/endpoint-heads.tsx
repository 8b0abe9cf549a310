import { issuerScreens } from "@/components/certificates/endpoints/endpoint-columns";
import { SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Head } from "@/components/table/table";

/** The headers of a table of endpoints; see `EndpointRow`. */
export function EndpointHeads({
  selectable,
  sorting,
  columns,
  hasChannels,
}: {
  selectable: boolean;
  /** Lets people sort by the headers. */
  sorting?: Sorting | undefined;
  columns: ReadonlySet<string>;
  hasChannels: boolean;
}) {
  const has = (column: string) => columns.has(column);
  return (
    <>
      {selectable && <SelectHead noun="endpoint" />}
      <SortHead sorting={sorting} by="name">
        Endpoint
      </SortHead>
      <SortHead sorting={sorting} by="urgency" className="w-40 max-sm:w-28">
        State
      </SortHead>
      {has("issuer") && <Head className={`w-40 ${issuerScreens(hasChannels)}`}>Issuer</Head>}
      {has("left") && (
        <Head numeric className="w-40 max-lg:pr-4! max-sm:w-24">
          Time left
        </Head>
      )}
      {has("expires") && (
        <SortHead sorting={sorting} by="expiry" className="w-28 max-xl:hidden">
          Expires
        </SortHead>
      )}
      {hasChannels && has("notifies") && <Head className="w-36 max-lg:hidden">Notifies</Head>}
      {has("tags") && <Head className="w-40 max-xl:hidden">Tags</Head>}
      {has("owner") && <Head className="w-32 max-xl:hidden">Owner</Head>}
      {has("checked") && <Head className="w-36 max-xl:hidden">Checked</Head>}
    </>
  );
}

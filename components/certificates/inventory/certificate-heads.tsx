import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Head } from "@/components/table/table";

/** The headers of the inventory's table. `columns`: those to show besides the name, by id. */
export function CertificateHeads({ sorting, columns }: { sorting: Sorting; columns: ReadonlySet<string> }) {
  const has = (column: string) => columns.has(column);
  return (
    <>
      <SortHead sorting={sorting} by="name">
        Certificate
      </SortHead>
      {has("issuer") && <Head className="w-56 max-[90rem]:w-48 max-xl:hidden">Issuer</Head>}
      {has("key") && <Head className="w-24 max-xl:hidden">Key</Head>}
      {has("serial") && <Head className="w-48 max-xl:hidden">Serial number</Head>}
      {has("seen") && (
        <SortHead sorting={sorting} by="discovered" className="w-32 max-xl:hidden">
          First seen
        </SortHead>
      )}
      {has("left") && (
        <Head numeric className="w-44 max-sm:w-28 max-sm:pr-4">
          Time left
        </Head>
      )}
      {has("expires") && (
        <SortHead sorting={sorting} by="expiry" className="w-32 max-md:hidden">
          Expires
        </SortHead>
      )}
      {has("served") && <Head className="w-56 max-lg:w-44 max-sm:hidden">Served by</Head>}
    </>
  );
}

import { SelectHead } from "@/components/table/select-cells";
import type { Sorting } from "@/components/table/sort";
import { SortHead } from "@/components/table/sort-head";
import { Head } from "@/components/table/table";

/** The headers of the table of discovered names; see `Review`. */
export function NameHeads({ sorting }: { sorting: Sorting }) {
  return (
    <>
      <SelectHead noun="name" />
      <SortHead sorting={sorting} by="name">
        Name
      </SortHead>
      <Head className="w-28 max-sm:hidden">State</Head>
      <Head className="w-44 max-md:hidden">Sources</Head>
      <Head className="w-56 max-xl:hidden">Resolves to</Head>
      <SortHead sorting={sorting} by="newest" className="w-36 max-lg:hidden">
        First seen
      </SortHead>
    </>
  );
}

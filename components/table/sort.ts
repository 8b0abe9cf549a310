import { hrefWith } from "@/components/layout/href-with";

/** How a list is sorted, and how a click on the header of a column sorts it. */
export interface Sorting {
  /** The order of the list: a value of `sort`, and whether it is reversed. */
  sort: string;
  isReversed: boolean;
  /** The URL that sorts by this value; by the present one again, in reverse. */
  hrefOf: (sort: string) => string;
}

/** The sorting of a list whose URL has `params`. `usual` is the order without a choice. */
export function sortingOf(path: string, params: Record<string, string>, usual: string): Sorting {
  const sort = params.sort ?? usual;
  const isReversed = params.order === "desc";
  const hrefOf = (chosen: string) =>
    hrefWith(path, params, {
      sort: chosen === usual ? null : chosen,
      order: chosen === sort && !isReversed ? "desc" : null,
    });
  return { sort, isReversed, hrefOf };
}

import { hrefWith } from "@/components/layout/href-with";
import type { Direction } from "@/lib/http/endpoint";
import { usualDirection } from "@/lib/http/page-order";

/** How a list is sorted, and how a click on the header of a column sorts it. */
export interface Sorting {
  /** The order without a choice. */
  usual: string;
  /** The order of the list: a value of `sort`, and its direction. */
  sort: string;
  direction: Direction;
  /** The URL that sorts by this value; by the present one again, in reverse. */
  hrefOf: (sort: string) => string;
}

const opposite: Record<Direction, Direction> = { asc: "desc", desc: "asc" };

/** The sorting of a list whose URL has `params`. `usual` is the order without a choice. */
export function sortingOf(path: string, params: Record<string, string>, usual: string): Sorting {
  const sort = params.sort ?? usual;
  const direction = params.order === "asc" || params.order === "desc" ? params.order : usualDirection(sort);
  const hrefOf = (chosen: string) =>
    hrefWith(path, params, {
      sort: chosen === usual ? null : chosen,
      order: chosen === sort && direction === usualDirection(sort) ? opposite[direction] : null,
    });
  return { usual, sort, direction, hrefOf };
}

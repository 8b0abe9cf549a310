import { hrefWith } from "@/components/layout/href-with";
import { tableCookie } from "@/components/table/table-cookie";
import type { Direction } from "@/lib/http/endpoint";
import { usualDirection } from "@/lib/http/page-order";
import type { Principal } from "@/lib/http/principal";

/** How a list is sorted, and how a click on the header of a column sorts it. */
export interface Sorting {
  /** The order without a choice. */
  usual: string;
  /** The order of the list: a value of `sort`, and its direction. */
  sort: string;
  direction: Direction;
  /** The order that a click on the header of this value chooses: by the present one again, in reverse. */
  chosenBy: (sort: string) => ChosenOrder;
  /** The name of the cookie that remembers a person's choice. */
  cookie: string;
}

interface ChosenOrder {
  href: string;
  /** The value of the cookie; null for the order without a choice. */
  remembered: string | null;
}

const opposite: Record<Direction, Direction> = { asc: "desc", desc: "asc" };

/** The cookie with a person's order of a table. */
export const sortCookie = (table: string, principal: Pick<Principal, "actor">) => tableCookie("sort", table, principal);

/** The parameters `sort` and `order` that a cookie's value says; none without one. They may be invalid. */
export function rememberedOrder(value = ""): Record<string, string> {
  const [sort, order] = value.split(".");
  return { ...(sort && { sort }), ...(order && { order }) };
}

/** The sorting of a table whose URL has `params`. `usual` is the order without a choice. */
export function sortingOf(path: string, params: Record<string, string>, usual: string, cookie: string): Sorting {
  const sort = params.sort ?? usual;
  const direction = params.order === "asc" || params.order === "desc" ? params.order : usualDirection(sort);
  const chosenBy = (by: string) => {
    const chosen = by === usual ? null : by;
    const order = by === sort && direction === usualDirection(sort) ? opposite[direction] : null;
    const remembered = chosen === null && order === null ? null : `${by}.${order ?? ""}`;
    return { href: hrefWith(path, params, { sort: chosen, order }), remembered };
  };
  return { usual, sort, direction, chosenBy, cookie };
}

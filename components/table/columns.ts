import { tableCookie } from "@/components/table/table-cookie";
import type { Principal } from "@/lib/http/principal";

/** A column of a table that people can hide. */
export interface Column {
  id: string;
  label: string;
  /** Hidden until somebody chooses it. */
  isExtra?: true;
  /** The screens that have room for it, as the class that hides from them what says otherwise. Default: all. */
  roomOn?: string;
}

/** The cookie with a person's columns of a table. */
export const columnsCookie = (table: string, principal: Pick<Principal, "actor">) =>
  tableCookie("columns", table, principal);

/** The columns to show: those in the cookie's value, without unknown ones; without a value the usual ones. */
export function shownColumns(columns: readonly Column[], value: string | undefined): ReadonlySet<string> {
  const chosen = value?.split(".");
  return new Set(columns.flatMap(({ id, isExtra }) => ((chosen?.includes(id) ?? !isExtra) ? [id] : [])));
}

/** The value of the cookie; null for the usual columns, so that later ones appear. */
export function columnsValue(columns: readonly Column[], shown: ReadonlySet<string>): string | null {
  const usual = shownColumns(columns, undefined);
  const isUsual = columns.every(({ id }) => shown.has(id) === usual.has(id));
  return isUsual ? null : `.${columns.flatMap(({ id }) => (shown.has(id) ? [id] : [])).join(".")}`;
}

import type { Principal } from "@/lib/http/principal";

/**
 * The cookie with a person's choice about a table, so that the server renders it. Another person on the same browser has another.
 */
export function tableCookie(choice: "columns" | "sort", table: string, { actor }: Pick<Principal, "actor">): string {
  // The last digits of an id are random.
  const person = actor.type === "system" ? "" : actor.id.slice(-8);
  return `sealwatch.${choice}.${table}.${person}`;
}

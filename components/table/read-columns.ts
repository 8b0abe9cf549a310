import { cookies } from "next/headers";
import { type Column, columnsCookie, shownColumns } from "@/components/table/columns";
import type { Principal } from "@/lib/http/principal";

/** The columns of a table that the reader chose, from their cookie. */
export async function readColumns(
  principal: Principal,
  table: string,
  columns: readonly Column[],
): Promise<ReadonlySet<string>> {
  return shownColumns(columns, (await cookies()).get(columnsCookie(table, principal))?.value);
}

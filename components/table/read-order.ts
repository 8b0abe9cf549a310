import { cookies } from "next/headers";
import type { z } from "zod";
import { rememberedOrder, sortCookie } from "@/components/table/sort";
import type { Principal } from "@/lib/http/principal";

/**
 * The parameters of a page with a table, with the order that the reader chose last, from their cookie. A URL with an order keeps it, and
 * a cursor belongs to the order in its URL. An order that `query` no longer knows is left out.
 */
export async function withOrder(
  principal: Principal,
  table: string,
  params: Record<string, string>,
  query: z.ZodType,
): Promise<Record<string, string>> {
  if (params.sort !== undefined || params.order !== undefined || params.cursor !== undefined) return params;
  const order = rememberedOrder((await cookies()).get(sortCookie(table, principal))?.value);
  return query.safeParse(order).success ? { ...params, ...order } : params;
}

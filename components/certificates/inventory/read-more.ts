import { USUAL_SORT } from "@/components/certificates/inventory/inventory-view";
import type { ListPart } from "@/components/table/infinite/list-part";
import type { Certificate, listCertificates } from "@/lib/certificates/contract";

const LIMIT = 200;

/** Reads the part of the inventory after a cursor. Throws RequestFailed. */
export async function readMoreCertificates(
  view: Record<string, string>,
  cursor: string,
): Promise<ListPart<Certificate, string>> {
  // The contract brings the validation library, so it is loaded only when a reader needs another page.
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/certificates/contract")]);
  const sent = { sort: USUAL_SORT, ...view, limit: LIMIT, cursor } as (typeof listCertificates)["types"]["sent"];
  const { data, pagination } = await call(contract.listCertificates, sent);
  return { items: data, next: pagination.next_cursor };
}

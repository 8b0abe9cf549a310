import type { ListPart } from "@/components/table/infinite/list-part";
import type { CertificateEndpoint, listCertificateEndpoints } from "@/lib/certificates/contract";

/** The order without a choice: what needs attention first. */
export const USUAL_SORT = "urgency";
const LIMIT = 200;

/** Reads the part of the list of the page's URL after a cursor. Throws RequestFailed. */
export async function readMoreEndpoints(
  params: Record<string, string>,
  cursor: string,
): Promise<ListPart<CertificateEndpoint, string>> {
  // The contract brings the validation library, so it is loaded only when a reader needs another page.
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/certificates/contract")]);
  const sent = { sort: USUAL_SORT, ...params, limit: LIMIT, cursor };
  const { data, pagination } = await call(
    contract.listCertificateEndpoints,
    sent as (typeof listCertificateEndpoints)["types"]["sent"],
  );
  return { items: data, next: pagination.next_cursor };
}

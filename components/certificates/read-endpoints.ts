import { compareUrgency } from "@/components/certificates/urgency";
import type { Principal } from "@/lib/auth/principal";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import { listCertificateEndpoints } from "@/lib/certificates/list-endpoints";

const PAGE = 200;
const MOST_PAGES = 10;

/** The organization's endpoints by urgency. `isCut` when there are more than a page of the dashboard can sort. */
export async function readEndpoints(
  principal: Principal,
): Promise<{ endpoints: CertificateEndpoint[]; isCut: boolean }> {
  const endpoints: CertificateEndpoint[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, nextCursor } = await listCertificateEndpoints(principal, { limit: PAGE, cursor });
    endpoints.push(...items);
    if (nextCursor === null) return { endpoints: endpoints.sort(compareUrgency), isCut: false };
    cursor = nextCursor;
  }
  return { endpoints: endpoints.sort(compareUrgency), isCut: true };
}

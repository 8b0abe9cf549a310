import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { bulkUpdateEndpoints } from "@/lib/certificates/endpoints/bulk-update-endpoints";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkUpdateEndpoints, bulkUpdateEndpoints),
);

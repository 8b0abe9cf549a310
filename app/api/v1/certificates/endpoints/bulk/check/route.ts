import { handle, route } from "@/lib/api/route";
import { bulkCheckEndpoints } from "@/lib/certificates/endpoints/bulk-check-endpoints";
import * as contract from "@/lib/certificates/endpoints/bulk-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkCheckEndpoints, bulkCheckEndpoints),
);

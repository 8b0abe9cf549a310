import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { bulkUpsertEndpoints } from "@/lib/certificates/endpoints/bulk-upsert-endpoints";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.bulkUpsertEndpoints, bulkUpsertEndpoints),
);

import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/bulk-contract";
import { bulkUpsertEndpoints } from "@/lib/certificates/bulk-upsert-endpoints";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.bulkUpsertEndpoints, bulkUpsertEndpoints),
);

import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/endpoints/bulk-contract";
import { importEndpoints } from "@/lib/certificates/endpoints/import-endpoints";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.importEndpoints, importEndpoints),
);

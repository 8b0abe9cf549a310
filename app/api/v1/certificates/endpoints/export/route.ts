import { handle, route } from "@/lib/api/route";
import { exportCertificateEndpoints } from "@/lib/certificates/endpoints/export-endpoints";
import * as contract from "@/lib/certificates/file-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.exportCertificateEndpoints, exportCertificateEndpoints),
);

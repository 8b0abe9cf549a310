import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/file-contract";
import { exportCertificates } from "@/lib/certificates/inventory/export-certificates";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.exportCertificates, exportCertificates),
);

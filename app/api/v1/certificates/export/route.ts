import { door, route } from "@/lib/api/route";
import { exportCertificates } from "@/lib/certificates/export-certificates";
import * as contract from "@/lib/certificates/file-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.exportCertificates, exportCertificates),
);

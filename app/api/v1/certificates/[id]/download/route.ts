import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/file-contract";
import { downloadCertificate } from "@/lib/certificates/inventory/download-certificate";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.downloadCertificate, downloadCertificate),
);

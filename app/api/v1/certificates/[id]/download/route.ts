import { door, route } from "@/lib/api/route";
import { downloadCertificate } from "@/lib/certificates/download-certificate";
import * as contract from "@/lib/certificates/file-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.downloadCertificate, downloadCertificate),
);

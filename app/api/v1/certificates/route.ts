import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { addCertificate } from "@/lib/certificates/inventory/add-certificate";
import { listCertificates } from "@/lib/certificates/inventory/list-certificates";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listCertificates, listCertificates),
  handle(contract.addCertificate, addCertificate),
);

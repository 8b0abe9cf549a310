import { door, route } from "@/lib/api/route";
import { addCertificate } from "@/lib/certificates/add-certificate";
import * as contract from "@/lib/certificates/contract";
import { listCertificates } from "@/lib/certificates/list-certificates";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listCertificates, listCertificates),
  door(contract.addCertificate, addCertificate),
);

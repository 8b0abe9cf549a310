import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { handInCertificate } from "@/lib/certificates/inventory/hand-in-certificate";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.handInCertificate, handInCertificate),
);

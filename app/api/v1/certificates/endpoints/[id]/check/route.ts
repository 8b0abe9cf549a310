import { door, route } from "@/lib/api/route";
import { checkCertificateEndpoint } from "@/lib/certificates/check-endpoint";
import * as contract from "@/lib/certificates/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.checkCertificateEndpoint, checkCertificateEndpoint),
);

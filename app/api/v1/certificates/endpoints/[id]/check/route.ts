import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { checkCertificateEndpoint } from "@/lib/certificates/endpoints/check-endpoint";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.checkCertificateEndpoint, checkCertificateEndpoint),
);

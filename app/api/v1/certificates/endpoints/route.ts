import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { createCertificateEndpoint } from "@/lib/certificates/endpoints/create-endpoint";
import { listCertificateEndpoints } from "@/lib/certificates/endpoints/list-endpoints";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listCertificateEndpoints, listCertificateEndpoints),
  handle(contract.createCertificateEndpoint, createCertificateEndpoint),
);

import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { deleteCertificateEndpoint } from "@/lib/certificates/endpoints/delete-endpoint";
import { getCertificateEndpoint } from "@/lib/certificates/endpoints/get-endpoint";
import { updateCertificateEndpoint } from "@/lib/certificates/endpoints/update-endpoint";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getCertificateEndpoint, getCertificateEndpoint),
  handle(contract.updateCertificateEndpoint, updateCertificateEndpoint),
  handle(contract.deleteCertificateEndpoint, deleteCertificateEndpoint),
);

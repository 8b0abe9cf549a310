import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { reportCertificateEndpoint } from "@/lib/certificates/endpoints/report-endpoint";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.reportCertificateEndpoint, reportCertificateEndpoint),
);

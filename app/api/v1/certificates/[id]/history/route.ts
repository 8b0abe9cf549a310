import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/history-contract";
import { getCertificateHistory } from "@/lib/certificates/inventory/get-certificate-history";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getCertificateHistory, getCertificateHistory),
);

import { door, route } from "@/lib/api/route";
import { getCertificateHistory } from "@/lib/certificates/get-certificate-history";
import * as contract from "@/lib/certificates/history-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getCertificateHistory, getCertificateHistory),
);

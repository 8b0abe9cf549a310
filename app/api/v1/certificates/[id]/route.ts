import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/certificates/contract";
import { getCertificate } from "@/lib/certificates/inventory/get-certificate";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getCertificate, getCertificate));

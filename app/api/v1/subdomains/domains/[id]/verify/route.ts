import { handle, route } from "@/lib/api/route";

import * as contract from "@/lib/subdomains/domain-contract";
import { verifyDomain } from "@/lib/subdomains/verify-domain";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.verifyDomain, verifyDomain));

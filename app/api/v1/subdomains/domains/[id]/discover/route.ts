import { handle, route } from "@/lib/api/route";
import { discoverDomain } from "@/lib/subdomains/discover-domain";
import * as contract from "@/lib/subdomains/domain-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.discoverDomain, discoverDomain));

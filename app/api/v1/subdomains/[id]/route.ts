import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/subdomains/contract";
import { getSubdomain } from "@/lib/subdomains/get-subdomain";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.getSubdomain, getSubdomain));

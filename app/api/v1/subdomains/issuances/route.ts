import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/subdomains/contract";
import { listIssuances } from "@/lib/subdomains/list-issuances";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listIssuances, listIssuances));

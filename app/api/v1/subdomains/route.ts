import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/subdomains/contract";
import { listSubdomains } from "@/lib/subdomains/list-subdomains";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listSubdomains, listSubdomains));

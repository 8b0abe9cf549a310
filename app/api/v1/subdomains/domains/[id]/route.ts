import { handle, route } from "@/lib/api/route";
import { deleteDomain } from "@/lib/subdomains/delete-domain";
import * as contract from "@/lib/subdomains/domain-contract";
import { getDomain } from "@/lib/subdomains/get-domain";
import { updateDomain } from "@/lib/subdomains/update-domain";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getDomain, getDomain),
  handle(contract.updateDomain, updateDomain),
  handle(contract.deleteDomain, deleteDomain),
);

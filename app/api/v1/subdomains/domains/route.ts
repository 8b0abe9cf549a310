import { handle, route } from "@/lib/api/route";
import { createDomain } from "@/lib/subdomains/create-domain";
import * as contract from "@/lib/subdomains/domain-contract";
import { listDomains } from "@/lib/subdomains/list-domains";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listDomains, listDomains),
  handle(contract.createDomain, createDomain),
);

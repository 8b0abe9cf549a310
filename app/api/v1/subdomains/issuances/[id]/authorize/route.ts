import { handle, route } from "@/lib/api/route";
import { authorizeIssuance } from "@/lib/subdomains/authorize-issuance";
import * as contract from "@/lib/subdomains/contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.authorizeIssuance, authorizeIssuance),
);

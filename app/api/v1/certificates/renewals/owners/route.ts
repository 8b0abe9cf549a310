import { handle, route } from "@/lib/api/route";
import { listRenewalOwners } from "@/lib/certificates/renewals/list-renewal-owners";
import * as contract from "@/lib/certificates/renewals/renewal-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listRenewalOwners, listRenewalOwners),
);

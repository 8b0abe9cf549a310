import { handle, route } from "@/lib/api/route";
import { listRenewals } from "@/lib/certificates/renewals/list-renewals";
import * as contract from "@/lib/certificates/renewals/renewal-contract";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listRenewals, listRenewals));

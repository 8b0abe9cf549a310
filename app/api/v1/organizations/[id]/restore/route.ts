import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { restoreOrganization } from "@/lib/organizations/restore";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.restoreOrganization, restoreOrganization),
);

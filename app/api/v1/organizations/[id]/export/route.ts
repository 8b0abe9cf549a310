import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { exportOrganization } from "@/lib/organizations/export";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.exportOrganization, exportOrganization),
);

import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { createOrganization } from "@/lib/organizations/create";
import { listOrganizations } from "@/lib/organizations/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listOrganizations, listOrganizations),
  handle(contract.createOrganization, createOrganization),
);

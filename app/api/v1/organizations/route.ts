import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { createOrganization } from "@/lib/organizations/create";
import { listOrganizations } from "@/lib/organizations/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.listOrganizations, listOrganizations),
  door(contract.createOrganization, createOrganization),
);

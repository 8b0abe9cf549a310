import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { deleteOrganization } from "@/lib/organizations/delete";
import { getOrganization } from "@/lib/organizations/get";
import { updateOrganization } from "@/lib/organizations/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.getOrganization, getOrganization),
  handle(contract.updateOrganization, updateOrganization),
  handle(contract.deleteOrganization, deleteOrganization),
);

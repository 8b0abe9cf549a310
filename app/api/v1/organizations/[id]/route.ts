import { door, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { deleteOrganization } from "@/lib/organizations/delete";
import { getOrganization } from "@/lib/organizations/get";
import { updateOrganization } from "@/lib/organizations/update";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  door(contract.getOrganization, getOrganization),
  door(contract.updateOrganization, updateOrganization),
  door(contract.deleteOrganization, deleteOrganization),
);

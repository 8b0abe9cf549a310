import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { removeMember } from "@/lib/organizations/remove-member";
import { updateMember } from "@/lib/organizations/update-member";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.updateMember, updateMember),
  handle(contract.removeMember, removeMember),
);

import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/organizations/contract";
import { listMembers } from "@/lib/organizations/list-members";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(handle(contract.listMembers, listMembers));

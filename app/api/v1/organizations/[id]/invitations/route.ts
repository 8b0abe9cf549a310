import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/invitations/contract";
import { createInvitation } from "@/lib/invitations/create";
import { listInvitations } from "@/lib/invitations/list";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.listInvitations, listInvitations),
  handle(contract.createInvitation, createInvitation),
);

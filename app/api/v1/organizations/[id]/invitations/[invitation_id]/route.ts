import { handle, route } from "@/lib/api/route";
import * as contract from "@/lib/invitations/contract";
import { withdrawInvitation } from "@/lib/invitations/withdraw";

export const { GET, POST, PUT, DELETE, PATCH, HEAD, OPTIONS } = route(
  handle(contract.withdrawInvitation, withdrawInvitation),
);

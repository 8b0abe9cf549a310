import { ownAct, tokenBody } from "@/lib/api/own-act";
import { acceptInvitation } from "@/lib/invitations/accept";

export const POST = ownAct("invitation.accept", tokenBody, async (person, event, input) => ({
  organization_id: await acceptInvitation(person, event, input),
}));

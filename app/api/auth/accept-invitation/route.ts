import { selfServiceAction, tokenBody } from "@/lib/api/self-service-action";
import { acceptInvitation } from "@/lib/invitations/accept";

export const POST = selfServiceAction("invitation.accept", tokenBody, async (person, event, input) => ({
  organization_id: await acceptInvitation(person, event, input),
}));

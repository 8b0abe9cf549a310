import { organizationBody, ownAct } from "@/lib/auth/own-act";
import { leaveOrganization } from "@/lib/organizations/leave";

export const POST = ownAct("member.leave", organizationBody, leaveOrganization);

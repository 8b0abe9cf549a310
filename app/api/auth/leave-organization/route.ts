import { organizationBody, ownAct } from "@/lib/api/own-act";
import { leaveOrganization } from "@/lib/organizations/leave";

export const POST = ownAct("member.leave", organizationBody, leaveOrganization);

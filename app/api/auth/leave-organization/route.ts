import { organizationBody, selfServiceAction } from "@/lib/api/self-service-action";
import { leaveOrganization } from "@/lib/organizations/leave";

export const POST = selfServiceAction("member.leave", organizationBody, leaveOrganization);

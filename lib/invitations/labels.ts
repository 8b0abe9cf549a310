import type { Invitation } from "@/lib/invitations/contract";

export const invitationStatusLabels: Readonly<Record<Invitation["status"], string>> = {
  pending: "Pending",
  expired: "Expired",
};

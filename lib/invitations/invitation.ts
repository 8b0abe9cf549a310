import { config } from "@/lib/config";
import type { Invitation as Row } from "@/lib/db/generated/app/client";
import type { Permission } from "@/lib/http/principal";
import type { Invitation } from "@/lib/invitations/contract";

/** An invitation as members see it, without its token. */
export function toInvitation({ id, email, permission, createdAt, createdBy, expiresAt }: Row): Invitation {
  return {
    id,
    email,
    permission: permission as Permission,
    status: expiresAt.getTime() > Date.now() ? "pending" : "expired",
    created_at: createdAt.toISOString(),
    created_by: createdBy,
    expires_at: expiresAt.toISOString(),
  };
}

/** The page on which an invitation is accepted. */
export function invitationUrl(token: string): string {
  return `${config().PUBLIC_URL}/invitations/${token}`;
}

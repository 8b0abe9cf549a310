"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";
import { useMutation } from "@/components/requests/use-mutation";

const contract = () => import("@/lib/organizations/contract");
const invitations = () => import("@/lib/invitations/contract");

export const useCreateOrganization = () => useEndpoint(async () => (await contract()).createOrganization, false);
export const useUpdateOrganization = () => useEndpoint(async () => (await contract()).updateOrganization);
export const useDeleteOrganization = () => useEndpoint(async () => (await contract()).deleteOrganization);
export const useRestoreOrganization = () => useEndpoint(async () => (await contract()).restoreOrganization);
export const useUpdateMember = () => useEndpoint(async () => (await contract()).updateMember);
export const useRemoveMember = () => useEndpoint(async () => (await contract()).removeMember);
/** Does not reload the page: that could remove the dialog that still shows the link. */
export const useCreateInvitation = () => useEndpoint(async () => (await invitations()).createInvitation, false);
export const useWithdrawInvitation = () => useEndpoint(async () => (await invitations()).withdrawInvitation);

/** An action of a person on their own account, by session only (lib/api/self-service-action.ts). */
export function useSelfServiceAction<Body>(action: "accept-invitation" | "leave-organization") {
  return useMutation({
    mutationFn: async (body: Body) => {
      const { RequestFailed } = await import("@/lib/http/client");
      const answer = await fetch(`/api/auth/${action}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }).catch(() => {
        throw new RequestFailed(0, "UNREACHABLE", "Sealwatch cannot be reached. Check your connection.");
      });
      const result = await answer.json().catch(() => null);
      if (answer.ok) return result.data as Record<string, string>;
      throw new RequestFailed(
        answer.status,
        result?.error?.code ?? "INTERNAL_ERROR",
        result?.error?.message ?? "The request failed.",
      );
    },
  });
}

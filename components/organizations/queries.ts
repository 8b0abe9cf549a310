"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as invitations from "@/lib/invitations/contract";
import type * as contract from "@/lib/organizations/contract";

type Sent<E extends { types: { sent: unknown } }> = E["types"]["sent"];

/** The contract carries validation code, and most visits change nothing: it is loaded with the first change. */
async function api() {
  const [{ call }, contract, invitations] = await Promise.all([
    import("@/lib/http/client"),
    import("@/lib/organizations/contract"),
    import("@/lib/invitations/contract"),
  ]);
  return { call, contract, invitations };
}

/** A change, after which the page below is refreshed. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

export function useCreateOrganization() {
  return useMutation({
    mutationFn: async (sent: Sent<typeof contract.createOrganization>) => {
      const { call, contract } = await api();
      return (await call(contract.createOrganization, sent)).data;
    },
  });
}

export function useUpdateOrganization() {
  return useChange(async (sent: Sent<typeof contract.updateOrganization>) => {
    const { call, contract } = await api();
    return (await call(contract.updateOrganization, sent)).data;
  });
}

export function useDeleteOrganization() {
  return useChange(async (sent: { id: string }) => {
    const { call, contract } = await api();
    return (await call(contract.deleteOrganization, sent)).data;
  });
}

export function useRestoreOrganization() {
  return useChange(async (sent: { id: string }) => {
    const { call, contract } = await api();
    return (await call(contract.restoreOrganization, sent)).data;
  });
}

export function useUpdateMember() {
  return useChange(async (sent: Sent<typeof contract.updateMember>) => {
    const { call, contract } = await api();
    return (await call(contract.updateMember, sent)).data;
  });
}

export function useRemoveMember() {
  return useChange(async (sent: { id: string; user_id: string }) => {
    const { call, contract } = await api();
    return (await call(contract.removeMember, sent)).data;
  });
}

/** Does not refresh the page: that could remove the dialog that still shows the link. */
export function useCreateInvitation() {
  return useMutation({
    mutationFn: async (sent: Sent<typeof invitations.createInvitation>) => {
      const { call, invitations } = await api();
      return (await call(invitations.createInvitation, sent)).data;
    },
  });
}

export function useWithdrawInvitation() {
  return useChange(async (sent: { id: string; invitation_id: string }) => {
    const { call, invitations } = await api();
    return (await call(invitations.withdrawInvitation, sent)).data;
  });
}

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

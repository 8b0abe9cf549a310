"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as contract from "@/lib/api-keys/contract";
import type { previewWhitelist } from "@/lib/api-keys/usage-contract";

type Create = (typeof contract.createApiKey)["types"]["sent"];
type Update = (typeof contract.updateApiKey)["types"]["sent"];
type Preview = (typeof previewWhitelist)["types"]["sent"];
type ById = { id: string };

/** The contract brings the validation library. Most visits change nothing, so it is loaded at the first change. */
async function api() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/api-keys/contract")]);
  return { call, contract };
}

/** A change of keys, after which the page reloads to show the new state. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

/** Does not reload the page: that could remove the button whose dialog still shows the secret. */
export function useCreateApiKey() {
  return useMutation({
    mutationFn: async (sent: Create) => {
      const { call, contract } = await api();
      return (await call(contract.createApiKey, sent)).data;
    },
  });
}

export function useUpdateApiKey() {
  return useChange(async (sent: Update) => {
    const { call, contract } = await api();
    return (await call(contract.updateApiKey, sent)).data;
  });
}

/** Sent by POST, because a whitelist may be too long for a URL; it changes nothing. */
export function usePreviewWhitelist() {
  return useMutation({
    mutationFn: async (sent: Preview) => {
      const [{ call }, { previewWhitelist }] = await Promise.all([
        import("@/lib/http/client"),
        import("@/lib/api-keys/usage-contract"),
      ]);
      return (await call(previewWhitelist, sent)).data;
    },
  });
}

export function useRotateApiKey() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await api();
    return (await call(contract.rotateApiKey, sent)).data;
  });
}

export function useRevokeApiKey() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await api();
    return (await call(contract.revokeApiKey, sent)).data;
  });
}

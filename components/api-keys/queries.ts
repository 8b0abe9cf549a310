"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as contract from "@/lib/api-keys/contract";
import type { previewWhitelist } from "@/lib/api-keys/usage-contract";

type Create = (typeof contract.createApiKey)["types"]["sent"];
type Update = (typeof contract.updateApiKey)["types"]["sent"];
type Preview = (typeof previewWhitelist)["types"]["sent"];
type ById = { id: string };

/** Validation comes with the contract, and most visits to a page change nothing: it is fetched at the first change. */
async function api() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/api-keys/contract")]);
  return { call, contract };
}

/** A change of keys; the page below is then read anew, which shows what now is. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

/** Does not read the page anew: that could take away the button whose dialog still shows the secret. */
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

/** Asked by POST, since a whitelist may be too long for an address; it changes nothing. */
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

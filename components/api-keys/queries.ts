"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { call } from "@/lib/api/client";
import type { Input } from "@/lib/api/endpoint";
import * as contract from "@/lib/api-keys/contract";

/** A change of keys; the page below is then read anew, which shows what now is. */
function useChange<Sent, Answer>(change: (sent: Sent) => Promise<{ data: Answer }>) {
  const router = useRouter();
  return useMutation({
    mutationFn: async (sent: Sent) => (await change(sent)).data,
    onSuccess: () => router.refresh(),
  });
}

type Create = (typeof contract.createApiKey)["types"]["sent"];
type Update = (typeof contract.updateApiKey)["types"]["sent"];
type ById = Input<typeof contract.getApiKey>;

export const useCreateApiKey = () => useChange((sent: Create) => call(contract.createApiKey, sent));
export const useUpdateApiKey = () => useChange((sent: Update) => call(contract.updateApiKey, sent));
export const useRotateApiKey = () => useChange((sent: ById) => call(contract.rotateApiKey, sent));
export const useRevokeApiKey = () => useChange((sent: ById) => call(contract.revokeApiKey, sent));

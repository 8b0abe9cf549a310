"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as contract from "@/lib/certificates/contract";

type Create = (typeof contract.createCertificateEndpoint)["types"]["sent"];
type Update = (typeof contract.updateCertificateEndpoint)["types"]["sent"];
type ById = { id: string };

/** Validation comes with the contract, and most visits to a page change nothing: it is fetched at the first change. */
async function api() {
  const [{ call }, contract] = await Promise.all([import("@/lib/api/client"), import("@/lib/certificates/contract")]);
  return { call, contract };
}

/** A change of endpoints; the page below is then read anew, which shows what now is. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

/** Does not read the page anew: that could take away the button whose dialog still shows what was found. */
export function useCreateEndpoint() {
  return useMutation({
    mutationFn: async (sent: Create) => {
      const { call, contract } = await api();
      return (await call(contract.createCertificateEndpoint, sent)).data;
    },
  });
}

export function useUpdateEndpoint() {
  return useChange(async (sent: Update) => {
    const { call, contract } = await api();
    return (await call(contract.updateCertificateEndpoint, sent)).data;
  });
}

export function useCheckEndpoint() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await api();
    return (await call(contract.checkCertificateEndpoint, sent)).data;
  });
}

/** Not followed by reading the page anew: what it showed is gone. */
export function useDeleteEndpoint() {
  return useMutation({
    mutationFn: async (sent: ById) => {
      const { call, contract } = await api();
      await call(contract.deleteCertificateEndpoint, sent);
    },
  });
}

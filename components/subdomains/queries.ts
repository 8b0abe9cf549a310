"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as names from "@/lib/subdomains/contract";
import type * as domains from "@/lib/subdomains/domain-contract";

type Create = (typeof domains.createDomain)["types"]["sent"];
type Update = (typeof domains.updateDomain)["types"]["sent"];
type Review = (typeof names.reviewSubdomains)["types"]["sent"];
type ById = { id: string };

/** The contract carries validation code, and most visits change nothing: it is loaded with the first change. */
async function api() {
  const [{ call }, contract] = await Promise.all([
    import("@/lib/http/client"),
    import("@/lib/subdomains/domain-contract"),
  ]);
  return { call, contract };
}

/** A change, after which the page below is refreshed. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

export function useCreateDomain() {
  return useMutation({
    mutationFn: async (sent: Create) => {
      const { call, contract } = await api();
      return (await call(contract.createDomain, sent)).data;
    },
  });
}

export function useUpdateDomain() {
  return useChange(async (sent: Update) => {
    const { call, contract } = await api();
    return (await call(contract.updateDomain, sent)).data;
  });
}

/** Does not refresh the page, whose subject is gone. */
export function useDeleteDomain() {
  return useMutation({
    mutationFn: async (sent: ById) => {
      const { call, contract } = await api();
      await call(contract.deleteDomain, sent);
    },
  });
}

export function useVerifyDomain() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await api();
    return (await call(contract.verifyDomain, sent)).data;
  });
}

export function useDiscoverDomain() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await api();
    return (await call(contract.discoverDomain, sent)).data;
  });
}

export function useReview() {
  return useChange(async (sent: Review) => {
    const [{ call }, contract] = await Promise.all([api(), import("@/lib/subdomains/contract")]);
    return (await call(contract.reviewSubdomains, sent)).data;
  });
}

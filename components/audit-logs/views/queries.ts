"use client";

import { useMutation } from "@tanstack/react-query";
import type * as contract from "@/lib/audit-views/contract";

type Create = (typeof contract.createAuditView)["types"]["sent"];
type Update = (typeof contract.updateAuditView)["types"]["sent"];
type ById = { id: string };

/** The contract brings the validation library. Most visits change nothing, so it is loaded at the first change. */
async function api() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/audit-views/contract")]);
  return { call, contract };
}

export function useSaveView() {
  return useMutation({
    mutationFn: async (sent: Create) => {
      const { call, contract } = await api();
      return (await call(contract.createAuditView, sent)).data;
    },
  });
}

export function useChangeView() {
  return useMutation({
    mutationFn: async (sent: Update) => {
      const { call, contract } = await api();
      return (await call(contract.updateAuditView, sent)).data;
    },
  });
}

export function useDeleteView() {
  return useMutation({
    mutationFn: async (sent: ById) => {
      const { call, contract } = await api();
      return (await call(contract.deleteAuditView, sent)).data;
    },
  });
}

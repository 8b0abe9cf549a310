"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { call } from "@/lib/api/client";
import * as contract from "@/lib/certificates/contract";

/** A change of endpoints; the page below is then read anew, which shows what now is. */
function useChange<Sent, Answer>(change: (sent: Sent) => Promise<{ data: Answer }>) {
  const router = useRouter();
  return useMutation({
    mutationFn: async (sent: Sent) => (await change(sent)).data,
    onSuccess: () => router.refresh(),
  });
}

type Create = (typeof contract.createCertificateEndpoint)["types"]["sent"];
type Update = (typeof contract.updateCertificateEndpoint)["types"]["sent"];
type ById = { id: string };

export const useCreateEndpoint = () => useChange((sent: Create) => call(contract.createCertificateEndpoint, sent));
export const useUpdateEndpoint = () => useChange((sent: Update) => call(contract.updateCertificateEndpoint, sent));
export const useCheckEndpoint = () => useChange((sent: ById) => call(contract.checkCertificateEndpoint, sent));

/** Not followed by reading the page anew: what it showed is gone. */
export function useDeleteEndpoint() {
  return useMutation({ mutationFn: (sent: ById) => call(contract.deleteCertificateEndpoint, sent) });
}

"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type * as calendars from "@/lib/certificates/calendars/calendar-contract";
import type * as contract from "@/lib/certificates/contract";
import type * as stores from "@/lib/certificates/trust-stores/trust-store-contract";

type Create = (typeof contract.createCertificateEndpoint)["types"]["sent"];
type Update = (typeof contract.updateCertificateEndpoint)["types"]["sent"];
type CreateStore = (typeof stores.createTrustStore)["types"]["sent"];
type UpdateStore = (typeof stores.updateTrustStore)["types"]["sent"];
type CreateCalendar = (typeof calendars.createCalendar)["types"]["sent"];
type ById = { id: string };

/** The contract carries validation code, and most visits change nothing: it is loaded with the first change. */
export async function api() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/certificates/contract")]);
  return { call, contract };
}

/** A change, after which the page below is refreshed. */
function useChange<Sent, Answer>(mutationFn: (sent: Sent) => Promise<Answer>) {
  const router = useRouter();
  return useMutation({ mutationFn, onSuccess: () => router.refresh() });
}

/** Does not refresh the page: that could remove the button whose dialog still shows the result. */
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

/** Does not refresh the page, whose subject is gone. */
export function useDeleteEndpoint() {
  return useMutation({
    mutationFn: async (sent: ById) => {
      const { call, contract } = await api();
      await call(contract.deleteCertificateEndpoint, sent);
    },
  });
}

async function storeApi() {
  const [{ call }, contract] = await Promise.all([
    api(),
    import("@/lib/certificates/trust-stores/trust-store-contract"),
  ]);
  return { call, contract };
}

export function useCreateTrustStore() {
  return useChange(async (sent: CreateStore) => {
    const { call, contract } = await storeApi();
    return (await call(contract.createTrustStore, sent)).data;
  });
}

export function useUpdateTrustStore() {
  return useChange(async (sent: UpdateStore) => {
    const { call, contract } = await storeApi();
    return (await call(contract.updateTrustStore, sent)).data;
  });
}

/** The organization's trust stores, by name. */
export async function listTrustStores() {
  const { call, contract } = await storeApi();
  const { data } = await call(contract.listTrustStores, { limit: 200 });
  return data.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One trust store with its PEM, which the list does not have. */
export async function readTrustStore(id: string) {
  const { call, contract } = await storeApi();
  return (await call(contract.getTrustStore, { id })).data;
}

export function useDeleteTrustStore() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await storeApi();
    await call(contract.deleteTrustStore, sent);
  });
}

async function calendarApi() {
  const [{ call }, contract] = await Promise.all([api(), import("@/lib/certificates/calendars/calendar-contract")]);
  return { call, contract };
}

/** Does not refresh the page: the dialog still shows the address. */
export function useCreateCalendar() {
  return useMutation({
    mutationFn: async (sent: CreateCalendar) => {
      const { call, contract } = await calendarApi();
      return (await call(contract.createCalendar, sent)).data;
    },
  });
}

export function useDeleteCalendar() {
  return useChange(async (sent: ById) => {
    const { call, contract } = await calendarApi();
    await call(contract.deleteCalendar, sent);
  });
}

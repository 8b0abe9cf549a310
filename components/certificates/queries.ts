"use client";

import { callEndpoint, useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/certificates/contract");
const trustStores = () => import("@/lib/certificates/trust-stores/trust-store-contract");
const agents = () => import("@/lib/certificates/agents/agent-contract");
const calendars = () => import("@/lib/certificates/calendars/calendar-contract");

/** Does not reload the page: that could remove the button whose dialog still shows the result. */
export const useCreateEndpoint = () => useEndpoint(async () => (await contract()).createCertificateEndpoint, false);
export const useUpdateEndpoint = () => useEndpoint(async () => (await contract()).updateCertificateEndpoint);
export const useCheckEndpoint = () => useEndpoint(async () => (await contract()).checkCertificateEndpoint);
/** Does not reload the page, because the endpoint that it shows no longer exists. */
export const useDeleteEndpoint = () => useEndpoint(async () => (await contract()).deleteCertificateEndpoint, false);

export const useCreateTrustStore = () => useEndpoint(async () => (await trustStores()).createTrustStore);
export const useUpdateTrustStore = () => useEndpoint(async () => (await trustStores()).updateTrustStore);
export const useDeleteTrustStore = () => useEndpoint(async () => (await trustStores()).deleteTrustStore);

/** The organization's trust stores, by name. */
export async function listTrustStores() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), trustStores()]);
  const { data } = await call(contract.listTrustStores, { limit: 200 });
  return data.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One trust store with its PEM, which the list does not have. */
export function readTrustStore(id: string) {
  return callEndpoint(async () => (await trustStores()).getTrustStore, { id });
}

/** Does not reload the page: the dialog still shows the address. */
export const useCreateCalendar = () => useEndpoint(async () => (await calendars()).createCalendar, false);
export const useDeleteCalendar = () => useEndpoint(async () => (await calendars()).deleteCalendar);

/** Does not reload the page: the dialog still shows the command. */
export const useCreateAgent = () => useEndpoint(async () => (await agents()).createAgent, false);
export const useReplaceAgentCredentials = () =>
  useEndpoint(async () => (await agents()).replaceAgentCredentials, false);
export const useDeleteAgent = () => useEndpoint(async () => (await agents()).deleteAgent);

/** The organization's agents, by name. */
export async function listAgents() {
  const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), agents()]);
  const { data } = await call(contract.listAgents, { limit: 200 });
  return data.sort((a, b) => (a.name < b.name ? -1 : 1));
}

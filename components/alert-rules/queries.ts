"use client";

import { useEndpoint } from "@/components/layout/use-endpoint";

const contract = () => import("@/lib/alerts/rules/contract");

export const useCreateRule = () => useEndpoint(async () => (await contract()).createAlertRule);
export const useUpdateRule = () => useEndpoint(async () => (await contract()).updateAlertRule);
/** Does not reload the page, because the rule that it shows no longer exists. */
export const useDeleteRule = () => useEndpoint(async () => (await contract()).deleteAlertRule, false);
/** Changes nothing, so the page is not reloaded. */
export const useTestRule = () => useEndpoint(async () => (await contract()).testAlertRule, false);
/** Sends messages, but changes nothing that the page shows. */
export const useSendRuleTest = () =>
  useEndpoint(async () => (await import("@/lib/alerts/rules/coverage-contract")).sendAlertRuleTest, false);

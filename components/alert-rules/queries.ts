"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RuleFields, sentOf } from "@/components/alert-rules/rule-fields";
import { callEndpoint, useEndpoint } from "@/components/layout/use-endpoint";

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

const SETTLED_MS = 600;

/** What matches the rule in the editor, read once typing pauses. The previous answer stays until then. */
export function useRulePreview(fields: RuleFields, isAllowed: boolean) {
  const { condition, selector, steps } = sentOf(fields);
  // The channels do not change what matches.
  const terms = JSON.stringify({
    name: "Preview",
    condition,
    selector,
    steps: steps.map((step) => ({ ...step, channel_ids: [] })),
  });
  const [settled, setSettled] = useState(terms);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(terms), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [terms]);
  return useQuery({
    queryKey: ["alert rule preview", settled],
    queryFn: ({ signal }) => callEndpoint(async () => (await contract()).previewAlertRule, JSON.parse(settled), signal),
    enabled: isAllowed,
    placeholderData: keepPreviousData,
  });
}

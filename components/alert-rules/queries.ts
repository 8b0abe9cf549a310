"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type RuleFields, sentOf } from "@/components/alert-rules/rule-fields";
import type * as contract from "@/lib/alerts/rules/contract";
import type { Endpoint, Item } from "@/lib/http/endpoint";

type Contract = typeof contract;
type Sent<E extends { types: { sent: unknown } }> = E["types"]["sent"];

/** The contract brings the validation library, so it is loaded at the first call. */
async function callApi<E extends Endpoint>(name: keyof Contract, sent: unknown, signal?: AbortSignal) {
  const [{ call }, all] = await Promise.all([import("@/lib/http/client"), import("@/lib/alerts/rules/contract")]);
  const answer = await call(all[name] as never, sent as never, signal);
  return (answer as { data: Item<E> }).data;
}

function useCall<Name extends keyof Contract>(name: Name, refresh = true) {
  type E = Extract<Contract[Name], Endpoint & { types: { input: unknown; sent: unknown; item: unknown } }>;
  const router = useRouter();
  return useMutation({
    mutationFn: (sent: Sent<E>): Promise<Item<E>> => callApi<E>(name, sent),
    // Reload the page to show the new state.
    onSuccess: () => refresh && router.refresh(),
  });
}

export const useCreateRule = () => useCall("createAlertRule");
export const useUpdateRule = () => useCall("updateAlertRule");
/** Does not reload the page, because the rule that it shows no longer exists. */
export const useDeleteRule = () => useCall("deleteAlertRule", false);
/** Changes nothing, so the page is not reloaded. */
export const useTestRule = () => useCall("testAlertRule", false);

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
    queryFn: ({ signal }) => callApi<Contract["previewAlertRule"]>("previewAlertRule", JSON.parse(settled), signal),
    enabled: isAllowed,
    placeholderData: keepPreviousData,
  });
}

"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type RuleFields, sentOf } from "@/components/alert-rules/rule-fields";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { useQuery } from "@/components/requests/use-query";

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
    queryFn: ({ signal }) =>
      callEndpoint(
        async () => (await import("@/lib/alerts/rules/contract")).previewAlertRule,
        JSON.parse(settled),
        signal,
      ),
    enabled: isAllowed,
    placeholderData: keepPreviousData,
  });
}

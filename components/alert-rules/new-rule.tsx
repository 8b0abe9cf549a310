"use client";

import { useRouter } from "next/navigation";
import { RuleForm } from "@/components/alert-rules/rule-form";
import type { Choice, Subjects } from "@/components/alert-rules/selector-part";
import type { FilterNames } from "@/components/audit-logs/filters/filter-box";
import { showToast } from "@/components/ui/toast";

/** The editor for a new rule; opens the rule after creating it. */
export function NewRule(props: {
  about?: string | undefined;
  subjects: Subjects;
  channels: readonly Choice[];
  known: FilterNames;
  reason: string | null;
}) {
  const router = useRouter();
  return (
    <RuleForm
      {...props}
      onCreated={({ id, name }) => {
        showToast(`${name} was created.`);
        router.replace(`/alert-rules/${id}`);
      }}
    />
  );
}

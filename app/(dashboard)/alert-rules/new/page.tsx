import type { Metadata } from "next";
import { NewRule } from "@/components/alert-rules/new-rule";
import { readChoices } from "@/components/alert-rules/read-choices";
import { knownFilters } from "@/components/audit-logs/filters/known-values";
import { type SearchParams, single } from "@/components/layout/search-params";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "New alert rule" };

export default async function NewAlertRulePage({ searchParams }: { searchParams: SearchParams }) {
  const principal = await requirePrincipal();
  const { about } = await single(searchParams);
  const [choices, known] = await Promise.all([readChoices(principal), knownFilters(principal, about)]);
  return (
    <>
      <PageHeader back={{ href: "/alert-rules", label: "Alert rules" }} title="New alert rule">
        A rule takes effect when you create it. It is evaluated on every change and at least every 10 minutes.
      </PageHeader>
      <NewRule key={about} about={about} {...choices} known={known} reason={readOnlyReason(principal.permission)} />
    </>
  );
}

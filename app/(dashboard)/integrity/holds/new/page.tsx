import type { Metadata } from "next";
import { knownFilters } from "@/components/audit-logs/filters/known-values";
import { HoldForm } from "@/components/integrity/hold-form";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "New legal hold" };

export default async function NewHoldPage() {
  const principal = await requirePrincipal();
  return (
    <>
      <PageHeader back={{ href: "/integrity#holds", label: "Integrity" }} title="New legal hold">
        Until released, matching entries, including future ones, cannot expire or be redacted, and the organization
        cannot be deleted. Placing and releasing are recorded with your name.
      </PageHeader>
      <HoldForm known={await knownFilters(principal)} reason={readOnlyReason(principal.permission)} />
    </>
  );
}

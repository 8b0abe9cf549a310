import type { Metadata } from "next";
import { IntegrityHeader } from "@/components/integrity/integrity-header";
import { IntegrityView } from "@/components/integrity/integrity-view";
import { RowsSkeleton, Section } from "@/components/states/section";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Integrity" };

export default async function IntegrityPage() {
  const principal = await requirePrincipal();
  return (
    <>
      <IntegrityHeader />
      <Section what="The sealed log" fallback={<RowsSkeleton what="sealed log" rows={12} />}>
        <IntegrityView principal={principal} />
      </Section>
    </>
  );
}

import type { Metadata } from "next";
import { IntegrityHeader } from "@/components/integrity/integrity-header";
import { IntegrityView } from "@/components/integrity/integrity-view";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Integrity" };

export default async function IntegrityPage() {
  const principal = await requirePrincipal();
  return (
    <>
      <IntegrityHeader />
      <IntegrityView principal={principal} />
    </>
  );
}

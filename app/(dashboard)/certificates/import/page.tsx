import type { Metadata } from "next";
import { ImportForm } from "@/components/certificates/import/import-form";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import { listTrustStores } from "@/lib/certificates/trust-stores/list-trust-stores";

export const metadata: Metadata = { title: "Import" };

export default async function ImportPage() {
  const principal = await requirePrincipal();
  const { items } = await listTrustStores(principal, { limit: 200, cursor: undefined });
  return (
    <>
      <PageHeader back={{ href: "/certificates", label: "Certificates" }} title="Import endpoints">
        Existing endpoints are updated, not added twice. New endpoints are checked within minutes.
      </PageHeader>
      <ImportForm
        trustStores={items.map(({ id, name, is_default }) => ({ id, name, is_default }))}
        reason={readOnlyReason(principal.permission)}
      />
    </>
  );
}

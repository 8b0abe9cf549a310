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
        Those that are watched already are changed rather than added twice. All that are new are checked soon.
      </PageHeader>
      <ImportForm
        trustStores={items.map(({ id, name }) => ({ id, name }))}
        reason={readOnlyReason(principal.permission)}
      />
    </>
  );
}

import type { Metadata } from "next";
import { OldSecretActions } from "@/components/api-keys/old-secrets/use-actions";
import { OldSecretUseView } from "@/components/api-keys/old-secrets/use-view";
import { suggestedWhitelist } from "@/components/api-keys/old-secrets/words";
import { orNotFound } from "@/components/states/or-not-found";
import { readOnlyReason } from "@/components/states/read-only";
import { PageHeader } from "@/components/ui/page-header";
import { getApiKey } from "@/lib/api-keys/get";
import { getOldSecretUse } from "@/lib/api-keys/old-secrets/get";
import { getApiKeyUsage } from "@/lib/api-keys/usage";
import { USAGE_DAYS } from "@/lib/api-keys/usage-contract";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Old secrets" };

export default async function OldSecretsPage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const key = await orNotFound(params, (id) => getApiKey(principal, { id }));
  const [use, { addresses }] = await Promise.all([
    getOldSecretUse(principal, { id: key.id }),
    getApiKeyUsage(principal, { id: key.id, days: USAGE_DAYS }),
  ]);
  return (
    <>
      <PageHeader
        back={{ href: `/api-keys/${key.id}`, label: key.name }}
        title={`Old secrets of ${key.name}`}
        actions={
          <OldSecretActions
            apiKey={key}
            state={use.state}
            until={use.until}
            whitelist={suggestedWhitelist(addresses, use)}
            reason={readOnlyReason(principal.permission)}
          />
        }
      >
        Who tries secrets that a rotation replaced, or a revoked key.
      </PageHeader>
      <OldSecretUseView use={use} apiKey={key} />
    </>
  );
}

import type { Metadata } from "next";
import { AnalyticsFrame } from "@/components/analytics/analytics-frame";
import { Part } from "@/components/analytics/part";
import { ShareTable } from "@/components/analytics/share-table";
import { EmptySection } from "@/components/states/empty-section";
import { getAnalyticsKeys } from "@/lib/analytics/keys";
import { requirePrincipal } from "@/lib/auth/session";

export const metadata: Metadata = { title: "Keys" };

export default async function KeysPage() {
  const principal = await requirePrincipal();
  const { keys, signatures } = await getAnalyticsKeys(principal);
  return (
    <AnalyticsFrame here="/analytics/keys">
      {keys.length === 0 ? (
        <EmptySection>No certificates in use.</EmptySection>
      ) : (
        <>
          <Part title="Keys">
            <ShareTable
              label="Certificates in use by key type"
              of="Key"
              rows={keys.map(({ key_type, key_bits, ...counts }) => {
                const name = key_bits === null ? key_type : `${key_type}-${key_bits}`;
                return {
                  ...counts,
                  key: name,
                  name: name.toUpperCase().replace("-", " "),
                  href: `/certificates/inventory?${new URLSearchParams({ key_type: name, unused: "false" })}`,
                };
              })}
            />
          </Part>
          <Part title="Signatures">
            <ShareTable
              label="Certificates in use by signature algorithm"
              of="Algorithm"
              rows={signatures.map(({ signature_algorithm: name, ...counts }) => ({ ...counts, key: name, name }))}
            />
          </Part>
        </>
      )}
    </AnalyticsFrame>
  );
}

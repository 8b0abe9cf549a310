import type { Metadata } from "next";
import Link from "next/link";
import { statusTone } from "@/components/certificates/findings/finding-tones";
import { Findings } from "@/components/certificates/findings/findings";
import { CaaFacts } from "@/components/certificates/inventory/caa-facts";
import { CertificateFacts } from "@/components/certificates/inventory/certificate-facts";
import { CertificateHistory } from "@/components/certificates/inventory/certificate-history";
import { Chain } from "@/components/certificates/inventory/chain";
import { endpointName, shortName } from "@/components/certificates/inventory/names";
import { orNotFound } from "@/components/states/or-not-found";
import { RowsSkeleton, Section } from "@/components/states/section";
import { Status } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { DefinitionGroup } from "@/components/ui/definition-list";
import { DownloadLink } from "@/components/ui/download-link";
import { PageHeader } from "@/components/ui/page-header";
import { requirePrincipal } from "@/lib/auth/session";
import type { CertificateDetail } from "@/lib/certificates/contract";
import { endpointStatusLabels } from "@/lib/certificates/finding-labels";
import { getCertificate } from "@/lib/certificates/inventory/get-certificate";

export const metadata: Metadata = { title: "Certificate" };

const downloads = [
  { format: "pem", words: "Download PEM" },
  { format: "chain", words: "Download chain" },
  { format: "der", words: "Download DER" },
];

export default async function CertificatePage({ params }: { params: Promise<{ id: string }> }) {
  const principal = await requirePrincipal();
  const certificate = await orNotFound(params, (id) => getCertificate(principal, { id }));
  const now = Date.now();
  const { chain_findings, chain, pem } = certificate;
  return (
    <>
      <PageHeader
        back={{ href: "/certificates", label: "Certificates" }}
        title={shortName(certificate.subject) || certificate.sans[0] || "Unnamed"}
        actions={downloads
          .filter(({ format }) => format !== "chain" || chain.length > 1)
          .map(({ format, words }) => (
            <DownloadLink key={format} href={`/api/v1/certificates/${certificate.id}/download?format=${format}`}>
              {words}
            </DownloadLink>
          ))}
      />
      {chain_findings.length > 0 && (
        <section className="px-4 pb-6 sm:px-5">
          <h2 className="mb-1.5 text-second text-xs">How it is served</h2>
          <Findings findings={chain_findings} />
        </section>
      )}
      <div className="grid gap-x-10 gap-y-6 px-4 sm:px-5 lg:grid-cols-2">
        <div className="min-w-0">
          <DefinitionGroup>
            <CertificateFacts certificate={certificate} now={now} />
          </DefinitionGroup>
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Servers certificate={certificate} />
          {chain.length > 1 && (
            <section>
              <h2 className="mb-2 text-second text-xs">Served chain</h2>
              <Chain chain={chain} now={now} />
            </section>
          )}
          <section>
            <h2 className="mb-1.5 text-second text-xs">PEM</h2>
            <CodeBlock text={pem} what="the PEM" />
          </section>
        </div>
      </div>
      <CaaFacts caa={certificate.caa} />
      <Section what="The history" fallback={<RowsSkeleton what="history" rows={2} />}>
        <CertificateHistory principal={principal} id={certificate.id} />
      </Section>
    </>
  );
}

/** The endpoints that serve it now. */
function Servers({ certificate }: { certificate: CertificateDetail }) {
  const { endpoints, endpoint_count, is_ca } = certificate;
  return (
    <section>
      <h2 className="mb-1 text-second text-xs">Served by</h2>
      {endpoints.length === 0 ? (
        <p className="text-second">
          {is_ca ? "A CA certificate: no endpoint serves it as its leaf." : "No endpoint serves it now."}
        </p>
      ) : (
        <ul>
          {endpoints.map((endpoint) => (
            <li key={endpoint.id} className="flex h-7 items-center justify-between gap-3 border-b pointer-coarse:h-10">
              <Link
                href={`/certificates/endpoints/${endpoint.id}`}
                className="truncate font-mono text-sm hover:underline"
              >
                {endpointName(endpoint)}
              </Link>
              <Status tone={statusTone[endpoint.status]}>{endpointStatusLabels[endpoint.status]}</Status>
            </li>
          ))}
        </ul>
      )}
      {endpoint_count > endpoints.length && (
        <p className="pt-1 text-second">and {endpoint_count - endpoints.length} more</p>
      )}
    </section>
  );
}

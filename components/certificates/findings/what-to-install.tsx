import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { shortName } from "@/components/certificates/inventory/names";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { cx } from "@/components/ui/cx";
import { DownloadLink } from "@/components/ui/download-link";
import type { CertificateEndpointDetail, CertificateSummary } from "@/lib/certificates/contract";

type Known = Pick<CertificateEndpointDetail, "served_chain" | "expected_chain" | "install_pem" | "host">;

function nameOf({ subject, sans }: CertificateSummary): string {
  return shortName(subject) || sans[0] || "Unnamed";
}

/** The served chain next to the correct one, and the file that fixes it. Nothing if both are the same. */
export function WhatToInstall({ endpoint, now }: { endpoint: Known; now: number }) {
  const { served_chain: served, expected_chain: expected, install_pem: pem, host } = endpoint;
  if (pem === null) return null;
  const isServed = ({ sha256 }: CertificateSummary) => served.some((each) => each.sha256 === sha256);
  const isExpected = ({ sha256 }: CertificateSummary) => expected.some((each) => each.sha256 === sha256);
  return (
    <section className="px-4 pb-6 sm:px-5" aria-labelledby="install">
      <h2 id="install" className="mb-1 font-medium text-lg">
        What to install
      </h2>
      <p className="mb-3 max-w-prose text-pretty text-second">
        Replace the server’s certificate file with this one, keep the private key, and reload the server. The file has
        the server’s certificate and its intermediates, in order; clients have the root.
      </p>
      <div className="grid gap-x-10 gap-y-5 lg:grid-cols-2">
        <div className="grid content-start gap-5">
          <Listed
            title="Served now"
            certificates={served}
            now={now}
            mark={(each) => (isExpected(each) ? null : "superfluous")}
          />
          <Listed
            title="Should be served"
            certificates={expected}
            now={now}
            mark={(each) => (isServed(each) ? null : "missing")}
          />
        </div>
        <div className="min-w-0">
          <div className="mb-2 flex flex-wrap gap-2">
            <CopyButton text={pem} what="the PEM" label kind="primary" />
            <DownloadLink
              href={`data:application/x-pem-file,${encodeURIComponent(pem)}`}
              name={`${host}-fullchain.pem`}
            >
              Download
            </DownloadLink>
          </div>
          <CodeBlock text={pem} what="the PEM" />
        </div>
      </div>
    </section>
  );
}

function Listed({
  title,
  certificates,
  now,
  mark,
}: {
  title: string;
  certificates: CertificateSummary[];
  now: number;
  mark: (certificate: CertificateSummary) => "missing" | "superfluous" | null;
}) {
  return (
    <div>
      <h3 className="mb-1 text-second text-xs">{title}</h3>
      <ol className="border-t">
        {certificates.map((certificate, at) => {
          const marked = mark(certificate);
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the same certificate may be served twice, and the order is what is shown
              key={`${certificate.sha256} ${at}`}
              className="flex min-h-7 items-center gap-3 border-b pointer-coarse:min-h-10"
            >
              <span className="w-4 shrink-0 text-right text-third tabular-nums">{at + 1}</span>
              <span className="min-w-0 flex-1 truncate" title={certificate.subject}>
                {nameOf(certificate)}
              </span>
              {marked && (
                <span className={cx("shrink-0", marked === "missing" ? "text-bad" : "text-warn")}>{marked}</span>
              )}
              <span className="w-40 shrink-0 max-sm:w-24">
                <LifeBar validity={certificate} now={now} />
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

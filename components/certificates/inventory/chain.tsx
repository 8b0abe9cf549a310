import Link from "next/link";
import { Fingerprint } from "@/components/certificates/inventory/certificate-facts";
import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { shortName } from "@/components/certificates/inventory/names";
import { Time } from "@/components/time/time";
import { Definition } from "@/components/ui/definition-list";
import type { CertificateSummary } from "@/lib/certificates/contract";

function roleOf({ is_ca, subject, issuer }: CertificateSummary, at: number): string {
  if (at === 0) return is_ca ? "Served first (a CA certificate)" : "Leaf";
  if (subject === issuer) return "Root";
  return is_ca ? "Intermediate" : "Not a CA";
}

/** Certificates in the order served: the leaf first, each one issued by the next. */
export function Chain({ chain, now }: { chain: CertificateSummary[]; now: number }) {
  return (
    <ol>
      {chain.map((certificate, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the same certificate may be served twice, and the order is what is shown
          key={`${certificate.sha256} ${at}`}
          className="relative border-l pb-5 pl-5 last:border-transparent last:pb-0"
        >
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[4.5px] size-2 rounded-full border border-strong bg-panel"
          />
          <p className="text-second text-xs">{roleOf(certificate, at)}</p>
          <h3 className="font-medium">
            <Link href={`/certificates/${certificate.id}`} className="break-words hover:underline">
              {shortName(certificate.subject) || certificate.sans[0] || "Unnamed"}
            </Link>
          </h3>
          <dl className="mt-1 grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3">
            <Definition name="Issuer">
              <span title={certificate.issuer}>{shortName(certificate.issuer)}</span>
            </Definition>
            <Definition name="Valid">
              <span className="inline-flex flex-wrap items-center gap-x-4">
                <span>
                  <Time value={certificate.not_before} style="day" /> –{" "}
                  <Time value={certificate.not_after} style="day" />
                </span>
                <span>
                  <LifeBar validity={certificate} now={now} />
                </span>
              </span>
            </Definition>
            <Definition name="SHA-256" mono>
              <Fingerprint sha256={certificate.sha256} short />
            </Definition>
          </dl>
        </li>
      ))}
    </ol>
  );
}

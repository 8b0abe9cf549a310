import { LifeBar } from "@/components/certificates/inventory/life-bar";
import { UsageFacts } from "@/components/certificates/inventory/usage-facts";
import { WindowFacts } from "@/components/certificates/inventory/window-facts";
import { Time } from "@/components/time/time";
import { CopyButton } from "@/components/ui/copy-button";
import { Definition } from "@/components/ui/definition-list";
import type { CertificateDetail } from "@/lib/certificates/contract";

/** The fields of a certificate. */
export function CertificateFacts({ certificate, now }: { certificate: CertificateDetail; now: number }) {
  const { sans, key_bits, key_type } = certificate;
  return (
    <>
      <Definition name="Subject" mono>
        {certificate.subject}
      </Definition>
      <Definition name="Issuer" mono>
        {certificate.issuer}
      </Definition>
      <Definition name="Valid">
        <Time value={certificate.not_before} /> – <Time value={certificate.not_after} />
      </Definition>
      <Definition name="Time left">
        <span className="inline-flex align-top">
          <LifeBar validity={certificate} now={now} renewal={certificate.renewal_info?.window} />
        </span>
      </Definition>
      <WindowFacts info={certificate.renewal_info} now={now} />
      <Definition name="Names" mono>
        {sans.length > 0 && (
          <ul>
            {sans.slice(0, 20).map((name) => (
              <li key={name}>{name}</li>
            ))}
            {sans.length > 20 && <li className="font-sans text-second">and {sans.length - 20} more</li>}
          </ul>
        )}
      </Definition>
      <Definition name="Key">
        {key_type.toUpperCase()}
        {key_bits !== null && `, ${key_bits} bits`}{" "}
        <span className="text-second">· {certificate.signature_algorithm}</span>
      </Definition>
      <UsageFacts certificate={certificate} />
      <Definition name="SHA-256" mono>
        <Fingerprint sha256={certificate.sha256} />
      </Definition>
      <Definition name="Serial" mono>
        {certificate.serial_number}
      </Definition>
      <Definition name="First seen">
        <Time value={certificate.first_seen_at} />
      </Definition>
    </>
  );
}

/** A certificate's SHA-256 with a copy button; `short` shows only its beginning and end. */
export function Fingerprint({ sha256, short = false }: { sha256: string; short?: boolean }) {
  return (
    <span className="break-all" title={short ? sha256 : undefined}>
      {short ? `${sha256.slice(0, 16)}…${sha256.slice(-8)}` : sha256}
      <CopyButton text={sha256} what="the SHA-256" className="-my-1 ml-1 h-6 align-middle" />
    </span>
  );
}

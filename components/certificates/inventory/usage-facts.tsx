import { Time } from "@/components/time/time";
import { dayName } from "@/components/time/time-format";
import { CopyButton } from "@/components/ui/copy-button";
import { Definition } from "@/components/ui/definition-list";
import type { CertificateWithExtensions } from "@/lib/certificates/contract";
import { clientAuthEndOf } from "@/lib/certificates/judge/client-auth-ends";
import { extendedKeyUsageLabels, keyUsageLabels, policyLabels } from "@/lib/certificates/usage-labels";
import { plural } from "@/lib/text/counts";

const listed = (names: readonly string[] | null, labels: Readonly<Record<string, string>>) =>
  names === null ? null : names.map((name) => labels[name] ?? name).join(", ");

/** What a certificate may be used for, and how its key, policies and logs identify it. */
export function UsageFacts({ certificate }: { certificate: CertificateWithExtensions }) {
  const { is_ca, key_usages, extended_key_usages, extensions, issuer } = certificate;
  const ends = extended_key_usages?.includes("client_auth") ? clientAuthEndOf(issuer) : null;
  return (
    <>
      <Definition name="Usage">
        {extended_key_usages?.length === 0 ? "Any usage" : listed(extended_key_usages, extendedKeyUsageLabels)}
        {ends && (
          <span className="block text-second">
            {ends.authority} issues none for client authentication from{" "}
            <a href={ends.source} target="_blank" rel="noreferrer" className="underline hover:text-ink">
              {dayName(ends.on)}
            </a>{" "}
            on: a renewal is for servers only.
          </span>
        )}
      </Definition>
      <Definition name="Key usage">
        {key_usages?.length === 0 ? "Not limited" : listed(key_usages, keyUsageLabels)}
      </Definition>
      {is_ca && (
        <Definition name="Authority">
          {extensions === null || extensions.path_length === null
            ? "May issue certificates"
            : `May issue certificates, with at most ${plural(extensions.path_length, "intermediate", "intermediates")} below it`}
        </Definition>
      )}
      {extensions && <Identifiers extensions={extensions} />}
    </>
  );
}

function Identifiers({ extensions }: { extensions: NonNullable<CertificateWithExtensions["extensions"]> }) {
  const { must_staple, policies, subject_key_id, authority_key_id, timestamps } = extensions;
  return (
    <>
      {must_staple && <Definition name="OCSP">Requires a stapled response (must-staple)</Definition>}
      <Definition name="Policies">{listed(policies, policyLabels)}</Definition>
      <Definition name="Key ID" mono>
        {subject_key_id}
      </Definition>
      <Definition name="Issuer’s key ID" mono>
        {authority_key_id}
      </Definition>
      <Definition name="Logged">
        {timestamps.length > 0 && (
          <ul>
            {timestamps.map(({ log_id, logged_at }) => (
              <li key={`${log_id} ${logged_at}`} className="flex flex-wrap items-baseline gap-x-2">
                <Time value={logged_at} />
                <span className="break-all font-mono text-second text-sm" title={`Log ${log_id}`}>
                  {log_id.slice(0, 12)}…
                  <CopyButton text={log_id} what="the log’s id" className="-my-1 ml-1 h-6 align-middle" />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Definition>
    </>
  );
}

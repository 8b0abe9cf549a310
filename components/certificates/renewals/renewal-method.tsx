import { type RenewalMethod as Method, renewalMethodLabels } from "@/lib/certificates/renewal-fields";

/** How a certificate is renewed, with the link to where that is done. */
export function RenewalMethod({
  of: { renewal_method, renewal_note, renewal_link },
}: {
  of: { renewal_method: Method | null; renewal_note: string | null; renewal_link: string | null };
}) {
  const label = renewal_method === null ? null : renewalMethodLabels[renewal_method];
  if (renewal_link === null) return <span title={renewal_note ?? undefined}>{label ?? "—"}</span>;
  return (
    <a
      href={renewal_link}
      target="_blank"
      rel="noreferrer"
      title={renewal_note ?? renewal_link}
      className="text-seal underline underline-offset-2"
    >
      {label ?? "Instructions"}
    </a>
  );
}

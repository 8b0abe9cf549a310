import Link from "next/link";
import { Ago } from "@/components/time/time";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { TlsScan } from "@/lib/certificates/scan-contract";
import { tlsVersionLabels, weakFamilyLabels } from "@/lib/certificates/scan-labels";

/** What a server accepts, as the last scan found; nothing before the first. */
export function ScanFacts({ scan }: { scan: TlsScan | null }) {
  if (scan === null) return null;
  const { at, protocols, weak_ciphers, forward_secrecy, authenticated_encryption, post_quantum, certificates } = scan;
  const yes = (is: boolean) => (is ? "yes" : "no");
  return (
    <DefinitionGroup title="Accepted by the server">
      <Definition name="Versions">{protocols.map((each) => tlsVersionLabels[each]).join(", ")}</Definition>
      <Definition name="Weak ciphers">
        {weak_ciphers.map((each) => weakFamilyLabels[each]).join(", ") || "none"}
      </Definition>
      <Definition name="Forward secrecy">{yes(forward_secrecy)}</Definition>
      <Definition name="AEAD ciphers">{yes(authenticated_encryption)}</Definition>
      <Definition name="Post-quantum">{post_quantum ? "yes, X25519MLKEM768" : "no"}</Definition>
      <Definition name="Certificates">
        <span className="inline-flex flex-wrap gap-x-2">
          {certificates.map(({ id, sha256, key_type }) => (
            <Link key={id} href={`/certificates/${id}`} className="text-seal underline underline-offset-2">
              {key_type.toUpperCase()} {sha256.slice(0, 12)}…
            </Link>
          ))}
        </span>
      </Definition>
      <Definition name="Last scan">
        <Ago value={at} />
      </Definition>
    </DefinitionGroup>
  );
}

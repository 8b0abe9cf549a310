import Link from "next/link";
import { RedactEntry } from "@/components/audit-logs/entry/redact-entry";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { DownloadLink } from "@/components/ui/download-link";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { formatCount } from "@/lib/text/counts";

/** The position of an event in the sealed log, with the files that prove it. `hold`: the name of the hold that covers it. */
export function SealedEntry({ event, hold }: { event: AuditEvent; hold: string | null }) {
  const { id, seal } = event;
  if (seal === null) {
    return (
      <DefinitionGroup title="Sealed log">
        <Definition name="Entry">
          <span className="text-second">not sealed yet; this takes seconds</span>
        </Definition>
      </DefinitionGroup>
    );
  }
  return (
    <DefinitionGroup title="Sealed log">
      <Definition name="Entry">
        #{formatCount(seal.index)}
        {seal.epoch > 1 && <span className="text-second"> of epoch {seal.epoch}</span>}
      </Definition>
      <Definition name="Checkpoint">
        <Link prefetch={false} href="/integrity" className="text-seal underline underline-offset-2">
          signed, covers this position
        </Link>
      </Definition>
      <Definition name="Proof">
        <p className="text-pretty text-second">
          With the entry, the verifier and its key alone, the proof shows whether the entry is still the one that was
          sealed at this position.
        </p>
        <div className="mt-1.5 flex flex-wrap gap-2">
          <DownloadLink href={`/api/v1/audit-logs/${id}/proof`}>Download proof</DownloadLink>
          <DownloadLink href={`/api/v1/audit-logs/${id}`} name={`${id}.json`}>
            Download entry
          </DownloadLink>
        </div>
        <RedactEntry event={event} hold={hold} />
      </Definition>
    </DefinitionGroup>
  );
}

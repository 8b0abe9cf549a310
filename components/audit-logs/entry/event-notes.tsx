"use client";

import Link from "next/link";
import { isOfOldSecret, oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { flagAdvice } from "@/components/audit-logs/entry/flag-advice";
import { flagTones } from "@/components/audit-logs/entry/flag-tones";
import { flagWords } from "@/components/audit-logs/entry/flag-words";
import { Note } from "@/components/ui/note";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { flagLabels } from "@/lib/audit-logs/flag-labels";

/** The meaning of an event's flags, with advice. */
export function EventNotes({ event }: { event: AuditEvent }) {
  const key = event.authentication?.api_key;
  return event.security.flags.map((flag) => {
    const tone = flagTones[flag];
    return (
      <Note key={flag} tone={tone === "bad" || tone === "warn" ? tone : "seal"}>
        <strong className="mr-1 font-semibold" title={flag}>
          {flagLabels[flag]}.
        </strong>{" "}
        {flagWords[flag]} {flagAdvice[flag]}{" "}
        {key && isOfOldSecret(flag) && (
          <Link prefetch={false} href={oldSecretsHref(key.id)} className="font-medium underline">
            See who still uses it
          </Link>
        )}
      </Note>
    );
  });
}

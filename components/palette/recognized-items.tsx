"use client";

import { Command } from "cmdk";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { hrefWith } from "@/components/layout/href-with";
import { Item } from "@/components/palette/item";
import { recognize } from "@/components/search/recognize";
import { parseTimes, timesQuery } from "@/components/search/times";
import { useTimesWords } from "@/components/search/times-words";
import { ownerWords } from "@/components/search/use-secret-owner";
import { useNow, useTimeZone } from "@/components/ui/reader";
import type { IdentifiedSecret } from "@/lib/api-keys/identify-contract";

/** Audit log entries that match the typed text as an address, a path, a status or a range of time. */
export function AuditLogMatches({ typed, onOpen }: { typed: string; onOpen: (href: string) => void }) {
  const [now, zone, words] = [useNow(), useTimeZone(), useTimesWords()];
  const offers: { label: string; note: string; params: Record<string, string | null> }[] = [];
  const times = parseTimes(typed, now, zone);
  if (times !== null) offers.push({ label: words(times), note: "time", params: timesQuery(times) });
  const found = recognize(typed);
  if (found?.kind === "network") offers.push({ label: found.network, note: "address", params: { ip: found.network } });
  if (found?.kind === "path") offers.push({ label: found.path, note: "path", params: { path: found.path } });
  if (found?.kind === "status") offers.push({ label: found.status, note: "status", params: { status: found.status } });
  if (offers.length === 0) return null;
  return (
    <Command.Group heading="Audit log">
      {offers.map(({ label, note, params }) => (
        <Item
          key={note}
          id={`audit-log ${note}`}
          label={label}
          // Before everything that only contains the text.
          words={typed}
          always
          note={`entries by ${note}`}
          onSelect={() => onOpen(hrefWith(EXPLORER, {}, params))}
        />
      ))}
    </Command.Group>
  );
}

/** The owner of a pasted secret, and its uses. */
export function SecretOwner({ owner, onOpen }: { owner: IdentifiedSecret; onOpen: (href: string) => void }) {
  const now = useNow();
  const { match } = owner;
  if (match === null) return null;
  const { id } = match.api_key;
  const uses = hrefWith(EXPLORER, {}, { api_key_id: id, flag: "rotated_secret", range: "all" });
  return (
    <Command.Group heading="Secret">
      <Item id="secret" label={ownerWords(owner, now)} always onSelect={() => onOpen(`/api-keys/${id}`)} />
      {match.retired_at !== null && (
        <Item
          id="secret uses"
          label={`Requests with old secrets of ${match.api_key.name}`}
          always
          onSelect={() => onOpen(uses)}
        />
      )}
    </Command.Group>
  );
}

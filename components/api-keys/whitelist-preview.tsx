"use client";

import { Ago } from "@/components/time/time";
import { Note } from "@/components/ui/note";
import type { WhitelistPreview } from "@/lib/api-keys/usage-contract";
import { formatCount, plural } from "@/lib/text/counts";

/** Addresses listed without scrolling; the rest are counted. */
const MAX_SHOWN = 8;

/** Addresses that are allowed now and would be blocked, as far as the preview lists them. */
export function newlyRefused({ refused }: WhitelistPreview): WhitelistPreview["refused"] {
  return refused.filter(({ refused_already }) => !refused_already);
}

/** "3 addresses", or "50 or more addresses" if the preview does not list all of them. */
export function refusedWords(preview: WhitelistPreview): string {
  const listed = newlyRefused(preview).length;
  const isCut = listed === preview.refused.length && listed < preview.refused_addresses;
  return isCut ? `${listed} or more addresses` : plural(listed, "address", "addresses");
}

/** The recently used addresses that an unsaved whitelist would block. */
export function WhitelistPreviewResult({ preview }: { preview: WhitelistPreview }) {
  const refused = newlyRefused(preview);
  const seen = preview.addresses_seen;
  if (seen === 0) {
    return <Note tone="plain">The key was not used in the last 30 days, so no known address would be blocked.</Note>;
  }
  if (refused.length === 0) {
    return (
      <Note tone="seal">
        No address that is allowed now would be blocked. Checked {plural(seen, "address", "addresses")} seen in the last
        30 days.
      </Note>
    );
  }
  const shown = refused.slice(0, MAX_SHOWN);
  return (
    <div className="rounded-md bg-warn-wash px-3 py-2">
      <p className="text-pretty text-warn">
        {refusedWords(preview)} of {formatCount(seen)} seen in the last 30 days would get 403 from the next request on.
      </p>
      <table className="mt-1.5 w-full table-fixed" aria-label="Addresses that would be blocked">
        <thead className="sr-only">
          <tr>
            <th>Address</th>
            <th>Requests</th>
            <th>Last seen</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ ip_address, country, requests, last_seen_at }) => (
            <tr key={ip_address}>
              <td className="truncate py-0.5 font-mono text-sm" title={ip_address ?? undefined}>
                {ip_address ?? "unknown"} {country && <span className="text-second">{country}</span>}
              </td>
              <td className="w-28 py-0.5 text-right text-second tabular-nums">{plural(requests, "request")}</td>
              <td className="w-28 py-0.5 text-right text-second">
                <Ago value={last_seen_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {refused.length > shown.length && (
        <p className="text-second text-sm">and {formatCount(refused.length - shown.length)} more</p>
      )}
    </div>
  );
}

"use client";

import { Ago } from "@/components/time/time";
import { plural } from "@/components/time/time-format";
import { Note } from "@/components/ui/note";
import type { WhitelistPreview } from "@/lib/api-keys/usage-contract";

/** Shown without scrolling; the rest are counted. */
const MAX_SHOWN = 8;

/** Addresses that are let in today and would not be any more, as many as the preview lists. */
export function newlyRefused({ refused }: WhitelistPreview): WhitelistPreview["refused"] {
  return refused.filter(({ refused_already }) => !refused_already);
}

/** "3 addresses", or "50 or more addresses" where the preview does not list all of them. */
export function refusedWords(preview: WhitelistPreview): string {
  const listed = newlyRefused(preview).length;
  const isCut = listed === preview.refused.length && listed < preview.refused_addresses;
  return isCut ? `${listed} or more addresses` : plural(listed, "address", "addresses");
}

/** Which of the addresses that used a key of late a whitelist that is not saved yet would shut out. */
export function WhitelistPreviewed({ preview }: { preview: WhitelistPreview }) {
  const refused = newlyRefused(preview);
  const seen = preview.addresses_seen;
  if (seen === 0) {
    return <Note tone="plain">Nobody used the key in the last 30 days, so nobody is shut out.</Note>;
  }
  if (refused.length === 0) {
    return (
      <Note tone="seal">
        Of {plural(seen, "address", "addresses")} seen in the last 30 days, none that gets in today would be shut out.
      </Note>
    );
  }
  const shown = refused.slice(0, MAX_SHOWN);
  return (
    <div className="rounded-md bg-warn-wash px-3 py-2">
      <p className="text-pretty text-warn">
        Of {plural(seen, "address", "addresses")} seen in the last 30 days, {refusedWords(preview)} would get 403 from
        the next request on.
      </p>
      <table className="mt-1.5 w-full table-fixed" aria-label="Addresses that would be refused">
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
                {ip_address ?? "not known"} {country && <span className="text-second">{country}</span>}
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
        <p className="text-second text-sm">and {(refused.length - shown.length).toLocaleString("en-GB")} more</p>
      )}
    </div>
  );
}

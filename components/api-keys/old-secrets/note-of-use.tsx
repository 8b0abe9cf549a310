import Link from "next/link";
import { oldSecretsHref } from "@/components/api-keys/old-secrets/words";
import { Ago, Time } from "@/components/time/time";
import { Note } from "@/components/ui/note";
import type { ApiKeyUsage } from "@/lib/api-keys/usage-contract";
import { plural } from "@/lib/text/counts";

/** A note for each old secret that was used, with a link to who used it. Empty if there was none. */
export function NoteOfOldSecrets({ usage: { rotated_secrets, api_key_id } }: { usage: ApiKeyUsage }) {
  if (rotated_secrets.length === 0) return null;
  return (
    <div className="grid gap-2 px-4 pb-4 sm:px-5">
      {rotated_secrets.map(({ hint, retired_at, requests, last_seen_at, sources }) => (
        <Note key={hint} tone="bad">
          The old secret <span className="font-mono text-sm">{hint}</span>
          {retired_at && (
            <>
              , replaced <Time value={retired_at} />,
            </>
          )}{" "}
          was used {plural(requests, "time")} from {plural(sources.length, "address", "addresses")}, last{" "}
          <Ago value={last_seen_at} />. Every attempt was refused.{" "}
          <Link prefetch={false} href={oldSecretsHref(api_key_id)} className="font-medium underline">
            See who still uses it
          </Link>
        </Note>
      ))}
    </div>
  );
}

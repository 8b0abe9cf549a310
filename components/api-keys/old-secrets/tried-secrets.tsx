import { Time } from "@/components/time/time";
import type { OldSecretUse } from "@/lib/api-keys/old-secrets/contract";
import { plural } from "@/lib/text/counts";

const MAX_SECRETS = 10;

/** Which secrets were tried, a sentence each: when a rotation replaced it, and how often it was tried. Most attempts first. */
export function TriedSecrets({ secrets }: Pick<OldSecretUse, "secrets">) {
  const more = secrets.length - MAX_SECRETS;
  return (
    <ul className="text-second">
      {secrets.slice(0, MAX_SECRETS).map(({ hint, retired_at, attempts }) => (
        <li key={`${hint} ${retired_at}`}>
          The {retired_at === null ? "secret" : "old secret"} <span className="font-mono text-ink text-sm">{hint}</span>
          ,{" "}
          {retired_at === null ? (
            "with which the key was revoked"
          ) : (
            <>
              replaced <Time value={retired_at} />
            </>
          )}
          , was tried {plural(attempts, "time")}.
        </li>
      ))}
      {more > 0 && <li>and {plural(more, "more secret")}</li>}
    </ul>
  );
}

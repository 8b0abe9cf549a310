import { Time } from "@/components/time/time";
import { Definition } from "@/components/ui/definition-list";
import { authenticationWords } from "@/components/uptime/words";
import type { ShownAuthentication } from "@/lib/uptime/authentication";

/** How a monitor authenticates, if it does; `now` in Unix milliseconds. */
export function AuthenticationWords({ authentication, now }: { authentication: ShownAuthentication; now: number }) {
  const { type, username, certificate } = authentication;
  if (type === "none") return null;
  const hasExpired = certificate !== null && Date.parse(certificate.not_after) <= now;
  return (
    <Definition name="Authentication">
      {username === null ? authenticationWords[type] : <>Basic, as {username}</>}
      {certificate && (
        <span className="block text-second text-sm">
          {certificate.subject},{" "}
          <span className={hasExpired ? "text-bad" : undefined}>
            {hasExpired ? "expired" : "until"} <Time value={certificate.not_after} />
          </span>
        </span>
      )}
    </Definition>
  );
}

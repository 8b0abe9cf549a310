import { Ago, Time } from "@/components/time/time";
import { Definition } from "@/components/ui/definition-list";
import type { RenewalInfo } from "@/lib/certificates/renewal-contract";

/** When the authority suggests renewing a certificate; nothing if it has no known directory. */
export function WindowFacts({ info, now }: { info: RenewalInfo; now: number }) {
  if (info === null) return null;
  const { window, moved, explanation_url, answered_at, error, next_ask_at } = info;
  return (
    <>
      <Definition name="Renewal">
        {window === null ? (
          <span className="text-second">Not known yet</span>
        ) : (
          <>
            <Time value={window.start} /> – <Time value={window.end} />
            {moved ? (
              <span className="text-bad"> · moved forward</span>
            ) : (
              Date.parse(window.start) <= now && (
                <span className="text-second">
                  {" "}
                  · due since <Time value={window.start} />
                </span>
              )
            )}
          </>
        )}
      </Definition>
      {moved?.from && (
        <Definition name="Before">
          <Time value={moved.from.start} /> – <Time value={moved.from.end} />
        </Definition>
      )}
      {explanation_url !== null && (
        <Definition name="Reason">
          <a href={explanation_url} target="_blank" rel="noreferrer" className="break-all underline hover:text-ink">
            {explanation_url}
          </a>
        </Definition>
      )}
      <Definition name="Suggested by">
        {new URL(info.directory).host}
        <span className="text-second">
          {answered_at && (
            <>
              {" "}
              · answered <Ago value={answered_at} />
            </>
          )}
          {error !== null && (
            <>
              {" "}
              · last request failed: {error}, next <Ago value={next_ask_at} />
            </>
          )}
        </span>
      </Definition>
    </>
  );
}

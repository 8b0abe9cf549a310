"use client";

import Link from "next/link";
import type { RuleFields } from "@/components/alert-rules/rule-fields";
import { useRulePreview } from "@/components/alert-rules/use-rule-preview";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { isRequestFailed } from "@/components/states/failure";
import { Status } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import type { RuleMatch } from "@/lib/alerts/rules/contract";
import { subjectPath } from "@/lib/alerts/subject-path";
import { severityLabels } from "@/lib/certificates/finding-labels";
import { formatCount, plural } from "@/lib/text/counts";

const MAX_ROWS = 30;

/** The current matches of the rule in the editor, saved or not. */
export function RulePreview({ fields, reason }: { fields: RuleFields; reason: string | null }) {
  const { data, error, isFetching } = useRulePreview(fields, reason === null);
  return (
    <section aria-label="Matching now" aria-busy={isFetching} className="min-w-0">
      <h2 className="mb-2 font-medium text-lg">Matching now</h2>
      {reason !== null ? (
        <p className="text-second">{reason}</p>
      ) : error !== null ? (
        <Note tone="plain">
          {isRequestFailed(error) && error.code === "INVALID_REQUEST"
            ? "The rule has invalid fields, so there is no preview. Save it to see the errors."
            : "The preview could not be loaded. Change a field to try again."}
        </Note>
      ) : data === undefined ? (
        <Skeleton className="h-24" />
      ) : (
        <div className={cx(isFetching && "opacity-60")}>
          <p role="status" className="pb-2 text-second">
            {data.count === 0
              ? "Nothing matches yet."
              : `${plural(data.count, "match", "matches")}, ${reachedWords(data.count, data.matches)}.`}
          </p>
          {data.matches.length > 0 && (
            <ul className="border-t">
              {data.matches.slice(0, MAX_ROWS).map((match) => (
                <Match key={`${match.subject.id} ${match.certificate_id}`} match={match} />
              ))}
            </ul>
          )}
          {data.count > MAX_ROWS && <p className="pt-2 text-second">and {formatCount(data.count - MAX_ROWS)} more</p>}
        </div>
      )}
      {reason === null && fields.type === "event_count" && (
        <p className="pt-2 text-second text-sm">Counted every 15 seconds, in the window that ends then.</p>
      )}
      {reason === null && fields.type === "security_event" && (
        <p className="pt-2 text-second text-sm">
          Based on audit log entries of the last 24 hours. Alerts open only for new entries.
        </p>
      )}
    </section>
  );
}

/** How many of `count` have reached a step. `matches` has those of the highest steps first, perhaps not all. */
export function reachedWords(count: number, matches: readonly Pick<RuleMatch, "step">[]): string {
  const reached = matches.filter(({ step }) => step !== null).length;
  if (reached === matches.length && reached < count) return `at least ${reached} at a step`;
  if (reached === count) return reached === 1 ? "at a step" : "all at a step";
  return reached === 0 ? "none at a step yet" : `${reached} at a step`;
}

function Match({ match }: { match: RuleMatch }) {
  const { subject, detail, step, severity, causes } = match;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 border-b py-1">
      <span className="truncate">
        <Link prefetch={false} href={subjectPath({ subject, causes })} className="font-medium hover:underline">
          {subject.name}
        </Link>
        <span className="ml-2 text-second">{detail}</span>
      </span>
      {step === null || severity === null ? (
        <span className="text-second">no step reached</span>
      ) : (
        <span>
          <Status tone={severityTone[severity]}>{severityLabels[severity]}</Status>
          <span className="text-second"> · step {step}</span>
        </span>
      )}
    </li>
  );
}

import Link from "next/link";
import { Fragment } from "react";
import { type AnswerPart, answerOf, changeParts } from "@/components/overview/answer";
import type { Lookback } from "@/components/overview/lookback";
import { Ago } from "@/components/time/time";
import { cx } from "@/components/ui/cx";
import { readChanges } from "@/lib/analytics/changes";
import { readCurrentState } from "@/lib/analytics/current-state";
import type { Principal } from "@/lib/http/principal";

/** The state of everything in one sentence, and what has changed in the time looked back on. */
export async function AnswerOverview({ principal, since, from }: { principal: Principal } & Lookback) {
  const [state, changes] = await Promise.all([readCurrentState(principal), readChanges(principal, since)]);
  const { problems, calm, caveat } = answerOf(state, Date.now());
  const changed = changeParts(changes);
  return (
    <section aria-label="Summary" className="border-y px-4 py-2.5 sm:px-5">
      <p className="text-pretty text-lg">
        {calm === null ? (
          <Parts parts={problems} className="font-medium text-bad" capital />
        ) : (
          <span className={cx("font-medium", calm.isGood && "text-good")}>{calm.words}</span>
        )}
        .
      </p>
      {caveat !== null && <p className="text-warn">{caveat}</p>}
      <p className="text-pretty text-second">
        {"days" in from ? (
          `In the last ${from.days} days`
        ) : (
          <>
            Since your last visit, <Ago value={from.visit.toISOString()} />
          </>
        )}
        : {changed.length > 0 ? <Parts parts={changed} className="font-medium text-ink" /> : "no changes"}.
      </p>
    </section>
  );
}

function Parts({
  parts,
  className,
  capital = false,
}: {
  parts: readonly AnswerPart[];
  className: string;
  /** Whether the first letter is a capital. */
  capital?: boolean;
}) {
  return parts.map(({ words, href }, at) => (
    <Fragment key={href + words}>
      {at > 0 && ", "}
      <Link prefetch={false} href={href} className={`${className} hover:underline`}>
        {at === 0 && capital ? words.charAt(0).toUpperCase() + words.slice(1) : words}
      </Link>
    </Fragment>
  ));
}

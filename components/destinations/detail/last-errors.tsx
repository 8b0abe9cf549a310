import { EmptySection } from "@/components/states/empty-section";
import { Ago } from "@/components/time/time";
import { CodeBlock } from "@/components/ui/code-block";
import type { DestinationActivity } from "@/lib/destinations/contract";
import { plural } from "@/lib/text/counts";

/** The last failures, newest first, each with the beginning of the receiver's response. */
export function LastErrors({ errors }: { errors: DestinationActivity["errors"] }) {
  return (
    <section className="pt-7" aria-labelledby="errors">
      <h2 id="errors" className="px-4 pb-2 font-medium text-lg sm:px-5">
        Last errors
      </h2>
      {errors.length === 0 ? (
        <EmptySection>Nothing has failed.</EmptySection>
      ) : (
        <ul className="divide-y border-y">
          {errors.map((error) => (
            <li key={error.first_at} className="grid gap-1.5 px-4 py-2 sm:px-5">
              <LastError error={error} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LastError({
  error: { message, answer, attempts, first_at, last_at },
}: {
  error: DestinationActivity["errors"][number];
}) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-6">
        <span className="min-w-0 break-words">{message.charAt(0).toUpperCase() + message.slice(1)}</span>
        <span className="text-second tabular-nums">
          <Ago value={last_at} />
          {attempts > 1 && (
            <>
              {" "}
              · {plural(attempts, "attempt")}, the first <Ago value={first_at} />
            </>
          )}
        </span>
      </p>
      {answer !== null && <CodeBlock text={answer} what="the response" wrap />}
    </>
  );
}

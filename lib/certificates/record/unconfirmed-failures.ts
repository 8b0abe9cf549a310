import type { Failed } from "@/lib/certificates/probe/observation";
import type { Entry } from "@/lib/certificates/record/record-results";

/**
 * Addresses that failed although others of the endpoint serve a certificate, and that did not fail in the check before: one packet may
 * have been lost. A person who waits for the result gets all failures.
 */
export function unconfirmedFailures({ result: { observations, isRequested }, row, served }: Entry): Failed[] {
  if (served === null || isRequested) return [];
  const failedBefore = row.observed.flatMap(({ address, reason }) => (reason === null ? [] : [address]));
  return observations.filter(
    (each): each is Failed =>
      each.outcome === "failed" && each.failure.reason !== "no_route" && !failedBefore.includes(each.address),
  );
}

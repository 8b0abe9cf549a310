import Link from "next/link";
import { Suspense } from "react";
import { knownNames } from "@/components/audit-logs/filters/known-values";
import { Anchors } from "@/components/integrity/anchors";
import { Holds } from "@/components/integrity/holds";
import { SaveCheckpoint } from "@/components/integrity/save-checkpoint";
import { sealWords } from "@/components/integrity/seal-words";
import { SealedDays } from "@/components/integrity/sealed-days";
import { VerifyBundle } from "@/components/integrity/verify-bundle";
import { Witnesses } from "@/components/integrity/witnesses";
import { EmptyState } from "@/components/states/empty-state";
import { RefreshWhile } from "@/components/states/refresh-while";
import { RowsSkeleton, Section } from "@/components/states/section";
import { SectionBoundary } from "@/components/states/section-boundary";
import { Ago } from "@/components/time/time";
import { Status } from "@/components/ui/badge";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { Note } from "@/components/ui/note";
import { MAX_ACTIVE_HOLDS } from "@/lib/audit-logs/hold/contract";
import { listAuditHolds } from "@/lib/audit-logs/hold/list";
import { listSealedDays } from "@/lib/audit-logs/seal/days";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import type { SealedLog } from "@/lib/audit-logs/seal/get-contract";
import type { Principal } from "@/lib/http/principal";
import { formatCount, plural } from "@/lib/text/counts";

/** Maximum number of released holds to list, in addition to all active ones. */
const MAX_RELEASED = 40;

const numberOf = (index: number) => `#${formatCount(index)}`;

/**
 * The state of the organization's sealed log, what was sealed each day, and the verification of bundles, which stays with all that was
 * typed when a refresh fails.
 */
export function IntegrityView({ principal }: { principal: Principal }) {
  const log = getSealedLog(principal);
  const known = log.catch(() => null);
  return (
    <Suspense fallback={<RowsSkeleton what="sealed log" rows={12} />}>
      <SectionBoundary what="The sealed log">
        <Sealed log={log} principal={principal} />
      </SectionBoundary>
      <Verification log={known} principal={principal} />
    </Suspense>
  );
}

async function Sealed({ log: reading, principal }: { log: Promise<SealedLog>; principal: Principal }) {
  const [log, days, active, released] = await Promise.all([
    reading,
    listSealedDays(principal),
    listAuditHolds(principal, { limit: MAX_ACTIVE_HOLDS, cursor: undefined, status: "active" }),
    listAuditHolds(principal, { limit: MAX_RELEASED, cursor: undefined, status: "released" }),
  ]);
  const holds = [...active.items, ...released.items];
  const known = await knownNames(principal, holds.map(({ filter }) => filter).join(" "));
  const { tone, label, problem } = sealWords(log);
  return (
    <>
      <RefreshWhile active />
      <div className="grid gap-3 px-4 pb-4 sm:px-5">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          {log.size > 0 && (
            <p className="font-semibold text-lg tabular-nums">
              Sealed up to {numberOf(log.size - 1)}
              {log.signed_at !== null && (
                <span className="font-normal text-second">
                  , <Ago value={log.signed_at} />
                </span>
              )}
            </p>
          )}
          <Status tone={tone}>{label}</Status>
        </div>
        {problem !== null && (
          // The time in a warning changes with each refresh, which would be announced each time.
          <Note tone={tone === "bad" ? "bad" : "warn"} alert={tone === "bad"}>
            {problem}
          </Note>
        )}
      </div>
      {log.size === 0 ? (
        <EmptyState title="No checkpoint is signed yet">
          Each event is sealed within seconds, and then a checkpoint is signed. This page shows it at once.
        </EmptyState>
      ) : (
        <SealedDays days={days} holds={holds} />
      )}
      <Holds holds={holds} known={known} principal={principal} />
    </>
  );
}

/** Without a log, which the part above says, only the form. */
async function Verification({ log: reading, principal }: { log: Promise<SealedLog | null>; principal: Principal }) {
  const log = await reading;
  return (
    <div className="grid gap-x-10 gap-y-6 border-t px-4 py-4 sm:px-5 lg:grid-cols-2">
      <div className="min-w-0">{log !== null && <Facts log={log} principal={principal} />}</div>
      <VerifyBundle vkey={log?.vkey ?? null} />
    </div>
  );
}

function Facts({ log, principal }: { log: SealedLog; principal: Principal }) {
  const { origin, vkey, epoch, checkpoint, size, oldest_index } = log;
  const [stamp] = log.stamps;
  return (
    <>
      <DefinitionGroup title="Log">
        <Definition name="Origin" mono>
          {origin}
        </Definition>
        <Definition name="Verifier key" mono>
          {vkey && (
            <>
              <span className="break-all">{vkey}</span>
              <CopyButton text={vkey} what="the verifier key" className="-my-1 ml-1 h-6 align-middle" />
            </>
          )}
        </Definition>
        <Definition name="Epoch">
          {epoch}
          {epoch > 1 && (
            <span className="text-second"> · The log was restarted after a restore; entry #0 says why.</span>
          )}
        </Definition>
        <Definition name="Oldest kept">
          {oldest_index !== null && (
            <>
              {numberOf(oldest_index)}
              {oldest_index > 0 && (
                <span className="text-second"> · Earlier entries have expired with the plan's retention.</span>
              )}
            </>
          )}
        </Definition>
        {stamp !== undefined && (
          <Definition name="Time stamp">
            {plural(stamp.size, "entry", "entries")},{" "}
            <span className="text-second">
              <Ago value={stamp.at} /> by {stamp.authority}
            </span>
          </Definition>
        )}
        {log.witnesses.length > 0 && (
          <Definition name="Witnesses">
            <Witnesses witnesses={log.witnesses} />
          </Definition>
        )}
        <Definition name="Self-check">
          <SelfCheck check={log.self_check} />
        </Definition>
      </DefinitionGroup>
      {checkpoint !== null && (
        <section className="border-t py-3">
          <h2 className="mb-1 text-third text-xs">Newest checkpoint, of {plural(size, "entry", "entries")}</h2>
          <div className="grid justify-items-start gap-2 *:min-w-0 *:max-w-full">
            <CodeBlock text={checkpoint} what="the checkpoint" wrap />
            <SaveCheckpoint checkpoint={checkpoint} size={size} />
            <p className="text-pretty text-second">
              Keep the verifier key and a checkpoint outside of this installation, for example in an e-mail to yourself.
              Then nothing up to that checkpoint can be changed, removed or inserted without a trace.{" "}
              <Link prefetch={false} href="/api-reference/audit_log_seal" className="text-seal underline">
                Get it from the API
              </Link>
            </p>
          </div>
        </section>
      )}
      <Section what="The channels for checkpoints" fallback={<RowsSkeleton what="channels" rows={1} />}>
        <Anchors principal={principal} />
      </Section>
      <details className="border-t py-3">
        <summary className="cursor-pointer font-medium">What this proves, and what it cannot</summary>
        <ul className="mt-1.5 grid list-disc gap-1 pl-4 text-pretty text-second">
          <li>A verified bundle has the entries that were sealed, in their order and without a gap.</li>
          <li>With a checkpoint that you kept, it also shows that nothing up to there has changed since.</li>
          <li>
            Anybody with the signing key and both databases can rewrite the history, unless a checkpoint is kept
            outside.
          </li>
          <li>
            Entries that are not sealed yet can be changed, and invented entries can be added with the current time.
          </li>
          <li>The log shows what was stored and when, not that it is true.</li>
        </ul>
      </details>
    </>
  );
}

function SelfCheck({ check }: { check: SealedLog["self_check"] }) {
  if (check === null) return <span className="text-second">Not yet; it runs once a day.</span>;
  return (
    <>
      <Status tone={check.result === "ok" ? "good" : "bad"}>{check.result === "ok" ? "Passed" : "Failed"}</Status>{" "}
      <span className="text-second">
        <Ago value={check.at} />, over {plural(check.size, "entry", "entries")}
      </span>
    </>
  );
}

import type pg from "pg";
import { wakeRules } from "@/lib/alert-schedule/wake";
import { mostSevere } from "@/lib/certificates/findings";
import { expectedChain } from "@/lib/certificates/judge/chain";
import { type Expectation, judge, primary, type Refusal } from "@/lib/certificates/judge/judge";
import { judgeLateness } from "@/lib/certificates/judge/judge-lateness";
import type { Previous } from "@/lib/certificates/judge/judge-renewal";
import type { Revocation } from "@/lib/certificates/judge/judge-revocation";
import type { Staple } from "@/lib/certificates/judge/judge-staple";
import type { Observations, Served } from "@/lib/certificates/probe/observation";
import { followLeaves } from "@/lib/certificates/record/alternation";
import type { EndpointToCheck } from "@/lib/certificates/record/endpoint-to-check";
import { failedRow, servedRow } from "@/lib/certificates/record/next-row";
import { type KnownOfLeaf, NOTHING_KNOWN, readKnown } from "@/lib/certificates/record/read-known";
import { RecentFailures } from "@/lib/certificates/record/recent-failures";
import { type Encountered, type IdOf, recordCertificates } from "@/lib/certificates/record/record-certificates";
import {
  endLeases,
  isOutdated,
  type Known,
  lockEndpoints,
  type NextRow,
  writeEndpoints,
} from "@/lib/certificates/record/record-endpoints";
import {
  compareFindings,
  NO_CHANGES,
  type OpenFinding,
  readOpenFindings,
  writeFindings,
} from "@/lib/certificates/record/record-findings";
import { changesOfSightings, writeSightings } from "@/lib/certificates/record/record-sightings";
import { readRenewalLeads, renewalLeads } from "@/lib/certificates/record/renewal-leads";
import { scannedOf, writeScanned } from "@/lib/certificates/record/scanned-certificates";
import { isScanUrgent, nextScanAt, scanRow } from "@/lib/certificates/record/scans";
import { secondsToNextCheck } from "@/lib/certificates/record/schedule";
import { unconfirmedFailures } from "@/lib/certificates/record/unconfirmed-failures";
import { renewalDueAt } from "@/lib/certificates/renewal-due";
import { withScan } from "@/lib/certificates/scan/judge-scan";
import type { Scan } from "@/lib/certificates/scan/scan";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";
import { processorTime } from "@/lib/jobs/processor-time";
import { processSingleton } from "@/lib/process-singleton";
import { mapInTurns } from "@/lib/turns";

/** The result of checking an endpoint, with everything needed to judge it. */
export interface Result {
  endpoint: EndpointToCheck;
  observations: Observations;
  /** Null if none was due, or if it says nothing. */
  scanned: Scan | null;
  trust: TrustStore;
  /** Issuers that were known or fetched, but not served. */
  fetched: readonly Certificate[];
  revocation: readonly Revocation[];
  refusals: readonly Refusal[];
  staples: readonly Staple[];
  /** Needs no confirmation by a second check: a person waits for the result, or an agent has been silent for long enough. */
  isRequested: boolean;
  /** From a report instead of a check by Sealwatch. */
  isReport?: boolean;
}

/** A check being recorded. */
export interface Entry {
  result: Result;
  row: Known;
  at: Date;
  served: Served | null;
  /** The chain that should be served; empty if no path to an anchor is known. */
  expected: Certificate[];
}

/** Consecutive checks without a certificate that make a failure a finding. */
const CONFIRMING_FAILURES = 2;
/** How soon an endpoint is checked for an urgent scan, in seconds: less than alerts wait before they resolve. */
const SCAN_SECONDS = 60;

function toEntries(results: readonly Result[], rows: Map<string, Known>): Entry[] {
  return results.flatMap((result) => {
    const { endpoint, observations, trust, fetched } = result;
    const row = rows.get(endpoint.id);
    const observation = primary(observations, row?.leaf?.sha256);
    const at = observation.observedAt;
    if (row?.version !== endpoint.version || isOutdated(row, at)) return [];
    const served = observation.outcome === "served" ? observation : null;
    return [
      { result, row, at, served, expected: served ? expectedChain([...served.chain, ...fetched], trust, at) : [] },
    ];
  });
}

function encounteredIn({ result: { endpoint, observations, scanned }, expected, at }: Entry): Encountered[] {
  const { organizationId } = endpoint;
  const all: Observations = [...observations, ...(scanned?.seen.slice(1) ?? [])];
  const served = all.flatMap((each) => (each.outcome === "served" ? [each.chain] : []));
  return [
    ...served.flatMap((chain) =>
      chain.map((certificate, position) => ({ organizationId, certificate, isOwn: position === 0, at })),
    ),
    ...expected.map((certificate) => ({ organizationId, certificate, isOwn: false, at })),
  ];
}

/** The leaf before the served one: the current leaf if it changed, otherwise the leaf before it. */
function previousOf({ row, served, at }: Entry): Previous | null {
  const isChanged = row.leaf !== null && served !== null && row.leaf.sha256 !== served.chain[0].sha256;
  const leaf = isChanged ? row.leaf : row.previous;
  if (leaf === null || served === null) return null;
  const { sha256, names, public_key_sha256: publicKeySha256 } = leaf;
  const until = isChanged ? at : (row.certificate_since ?? at);
  return { sha256, names, publicKeySha256, until, replacedBy: served.chain[0].sha256 };
}

function recentFailures(): RecentFailures {
  return processSingleton("certificates.recent-failures", () => new RecentFailures());
}

/** Whether a failure becomes a finding: immediately if requested, otherwise once confirmed and not a mass failure. */
function confirms({ result, row, at, served }: Entry, now: Date): boolean {
  if (served !== null || result.isRequested) return true;
  if (row.failures + 1 < CONFIRMING_FAILURES) return false;
  return row.reachability !== "reachable" || !recentFailures().holds(row.organization_id, row.failing_since ?? at, now);
}

interface Context extends KnownOfLeaf {
  open: readonly OpenFinding[];
  leads: number[] | null;
  idOf: IdOf;
}

function judgeEntry(entry: Entry, { newer, renewal, caa, open, leads, idOf }: Context) {
  const { result, row, at, served } = entry;
  const { endpoint, observations, trust, fetched, revocation, refusals, staples } = result;
  const now = new Date();
  const expectation: Expectation = {
    name: row.sni === "" ? row.host : row.sni,
    protocol: endpoint.protocol,
    expectedIssuers: row.expected_issuers,
    pins: row.pins,
    maxLifetimeDays: row.max_lifetime_days,
    previous: previousOf(entry),
    revokedBefore: open.find(({ code }) => code === "revoked")?.evidence ?? null,
    ...{ trust, now, newer, renewal, caa, fetched, revocation, refusals, staples },
  };
  const unconfirmed = unconfirmedFailures(entry);
  const judged = judge(observations, expectation, unconfirmed);
  const late =
    served && leads && !newer?.has(served.chain[0].sha256) ? judgeLateness(served.chain[0], leads, now) : null;
  // What is known of the served certificate says nothing about others.
  const others = { ...expectation, previous: null, newer: undefined, caa: null };
  const scan = scanRow(entry, idOf, (each) => judge([each], others));
  const own = late === null ? judged : [...judged, late];
  const found = served ? withScan(own, scan ?? row.tls_scan, served.chain[0].sha256) : own;
  const seen = served ? servedRow(entry, served, idOf) : failedRow(entry);
  const { series, findings } = followLeaves({ row, served, observations, id: seen.certificate_id, found, open });
  const failures = served ? 0 : row.failures + 1;
  const failing_since = served ? null : (row.failing_since ?? at);
  const isConfirmed = confirms(entry, now);
  const state = served ? "reachable" : "unreachable";
  const reachability = isConfirmed ? state : row.reachability;
  const status = served
    ? (mostSevere(findings.map(({ severity }) => severity)) ?? "ok")
    : isConfirmed
      ? "unreachable"
      : row.status;
  const known = row.leaf && { notBefore: new Date(row.leaf.not_before), notAfter: new Date(row.leaf.not_after) };
  const leaf = served?.chain[0] ?? known;
  const leaves = observations.flatMap((each) => (each.outcome === "served" ? [each.chain[0]] : []));
  const scanAt = nextScanAt(entry, now);
  const next: NextRow = {
    organization_id: row.organization_id,
    id: row.id,
    status,
    reachability,
    reachability_since: row.reachability === reachability ? row.reachability_since : (failing_since ?? at),
    failures,
    failing_since,
    ...seen,
    recent_leaves: series,
    tls_scan: scan,
    tls_scan_due_at: scanAt,
    last_checked_at: at,
    next_check_in: Math.min(
      secondsToNextCheck(
        {
          id: row.id,
          intervalSeconds: endpoint.intervalSeconds,
          status,
          // A failed address is confirmed as soon as a failed endpoint.
          failures: unconfirmed.length > 0 ? 1 : failures,
          validities: leaves.length > 0 ? leaves : known ? [known] : [],
        },
        now,
        Math.random(),
      ),
      isScanUrgent(entry, scanAt, now) ? SCAN_SECONDS : Number.POSITIVE_INFINITY,
    ),
    reported_at: result.isReport ? at : null,
    // Without a certificate the window is not read: what was known of the last one stays.
    renewal_due_at: (served ? null : row.renewal_due_at) ?? (leaf ? renewalDueAt(leaf, renewal) : null),
    renewal_leads: leads,
  };
  return {
    organizationId: row.organization_id,
    endpointId: row.id,
    at,
    openedAt: failing_since ?? at,
    changes: isConfirmed ? compareFindings(open, findings, served !== null) : NO_CHANGES,
    row: next,
  };
}

/** Returns the organizations whose findings changed. */
async function record(client: pg.ClientBase, results: readonly Result[]): Promise<Set<string>> {
  const rows = await lockEndpoints(
    client,
    results.map(({ endpoint }) => endpoint),
  );
  const entries = toEntries(results, rows);
  const recorded = new Set(entries.map(({ result }) => result));
  const discarded = results.filter((result) => !recorded.has(result)).map(({ endpoint }) => endpoint);
  if (discarded.length > 0) await endLeases(client, discarded);
  if (entries.length === 0) return new Set();
  const idOf = await recordCertificates(
    async (text, values) => (await client.query(text, values)).rows,
    entries.flatMap(encounteredIn),
  );
  const knownOf = await readKnown(client, entries, idOf);
  const openOf = await readOpenFindings(
    client,
    entries.map(({ row }) => ({ organizationId: row.organization_id, endpointId: row.id })),
  );
  for (const { result, row, at, served } of entries) {
    const isFailed = served === null && row.reachability === "reachable" && !result.isRequested;
    recentFailures().note({ organizationId: row.organization_id, creator: row.creator }, row.id, at, isFailed);
  }
  recentFailures().update(new Date());
  const leadsOf = await readRenewalLeads(client, entries);
  const judged = await mapInTurns(entries, (entry) => {
    const known = knownOf.get(entry) ?? NOTHING_KNOWN;
    const open = openOf.get(entry.row.id) ?? [];
    const context = { ...known, open, leads: renewalLeads(entry, leadsOf), idOf };
    return processorTime().spend(entry.row.organization_id, () => judgeEntry(entry, context));
  });
  await writeFindings(client, judged);
  const sightings = entries.flatMap(({ row, at }, index) => {
    const observed = judged[index]?.row.observed ?? null;
    if (observed === null) return [];
    const place = { organization_id: row.organization_id, endpoint_id: row.id };
    return [changesOfSightings(place, row.observed, row.failing_since ?? row.last_checked_at, observed, at)];
  });
  await writeSightings(client, {
    begun: sightings.flatMap(({ begun }) => begun),
    ended: sightings.flatMap(({ ended }) => ended),
  });
  await writeEndpoints(
    client,
    judged.map(({ row }) => row),
  );
  await writeScanned(
    client,
    entries.flatMap(({ row }, index) => {
      const next = judged[index]?.row;
      return next ? scannedOf(row, next) : [];
    }),
  );
  const hasNews = ({ changes: { opened, closed, changed } }: (typeof judged)[number]) =>
    opened.length + closed.length + changed.length > 0;
  return new Set(judged.filter(hasNews).map(({ organizationId }) => organizationId));
}

/**
 * Judges checks and records certificates, sightings, findings and endpoint states in one transaction of a few statements, with at
 * most one result per endpoint. Drops outdated results: the endpoint was deleted, has another target, was checked later, or this
 * result was already recorded.
 */
export async function recordResults(results: readonly Result[]): Promise<void> {
  wakeRules("state", await withTransaction(pool(), (client) => record(client, results)));
}

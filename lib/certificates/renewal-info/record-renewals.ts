import type pg from "pg";
import { type Followed, followWindow } from "@/lib/certificates/issuance/renewal-window";
import { renewalDueAt } from "@/lib/certificates/renewal-due";
import { waitAfterFailures } from "@/lib/certificates/renewal-info/renewal-answer";
import type { RequestedRenewalInfo } from "@/lib/certificates/renewal-info/request-due";
import { fromStored, type StoredFollowed, toStored } from "@/lib/certificates/renewal-info/stored-window";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { pool } from "@/lib/db/app";
import { withTransaction } from "@/lib/db/connections";

const DAY_SECONDS = 86_400;

interface Locked {
  id: string;
  failures: number;
  followed: StoredFollowed | null;
}

/** A row after a request; null keeps the value. */
interface Next {
  organization_id: string;
  id: string;
  directory: string | null;
  followed: StoredFollowed | null;
  explanation_url: string | null;
  error: string | null;
  failures: number;
  asked_at: Date | null;
  answered_at: Date | null;
  /** Seconds from now to the next request, by the database's clock. */
  next_check_in: number;
  /** Of endpoints that serve the certificate. */
  renewal_due_at: Date | null;
}

function toNext({ renewal, directory, asked }: RequestedRenewalInfo, row: Locked, now: Date): Next {
  const same = {
    organization_id: renewal.organizationId,
    id: renewal.id,
    directory,
    followed: null,
    renewal_due_at: null,
  };
  const unchanged = { ...same, explanation_url: null, answered_at: null };
  if (asked === null || asked === "unused")
    return { ...unchanged, error: null, failures: 0, asked_at: null, next_check_in: DAY_SECONDS };
  if (asked.outcome === "failed") {
    const failures = row.failures + 1;
    const wait = asked.waitMs ?? waitAfterFailures(failures);
    return { ...unchanged, error: asked.error, failures, asked_at: now, next_check_in: wait / 1000 };
  }
  const { window, explanationUrl } = asked.answer;
  const before = row.followed === null ? null : fromStored(row.followed);
  const certificate = parseCertificate(renewal.der);
  const followed: Followed = followWindow(before, window, certificate, now);
  return {
    ...{ ...same, followed: toStored(followed), explanation_url: explanationUrl },
    ...{ error: null, failures: 0, asked_at: now, answered_at: now, next_check_in: asked.waitMs / 1000 },
    renewal_due_at: renewalDueAt(certificate, followed),
  };
}

/** The fields that findings are judged by; the window itself counts only if it was not moved. */
function meaningOf({ window, moved }: StoredFollowed): string {
  return JSON.stringify(moved ?? window);
}

/** Moves the renewals of the endpoints that serve these certificates, which become due now, to be judged by the new window. */
async function checkEndpoints(client: pg.ClientBase, changed: readonly Next[]): Promise<void> {
  if (changed.length === 0) return;
  await client.query(
    `UPDATE certificate_endpoints e SET next_check_at = least(e.next_check_at, now()), renewal_due_at = locked.due_at
     FROM (
       SELECT e.organization_id, e.id, changed.due_at
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS changed (organization_id, certificate_id, due_at)
       JOIN certificate_endpoints e
         ON e.organization_id = changed.organization_id AND e.certificate_id = changed.certificate_id
       ORDER BY e.organization_id, e.id FOR UPDATE OF e
     ) AS locked
     WHERE e.organization_id = locked.organization_id AND e.id = locked.id`,
    [
      changed.map(({ organization_id }) => organization_id),
      changed.map(({ id }) => id),
      changed.map(({ renewal_due_at }) => renewal_due_at),
    ],
  );
}

async function record(client: pg.ClientBase, results: readonly RequestedRenewalInfo[]): Promise<void> {
  const owned = [
    results.map(({ renewal }) => renewal.organizationId),
    results.map(({ renewal }) => renewal.id),
    results.map(({ renewal }) => renewal.leasedUntil),
  ];
  // If the lease has ended meanwhile, the result of the next lease counts.
  const { rows } = await client.query<Locked>(
    `SELECT r.id, r.failures, r.followed FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS leased (organization_id, id, leased_until)
     JOIN certificate_renewals r
       ON r.organization_id = leased.organization_id AND r.id = leased.id AND r.leased_until = leased.leased_until
     ORDER BY r.organization_id, r.id FOR UPDATE OF r`,
    owned,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = new Date();
  const next = results.flatMap((result) => {
    const row = byId.get(result.renewal.id);
    return row === undefined ? [] : [{ row, ...toNext(result, row, now) }];
  });
  await client.query(
    `UPDATE certificate_renewals r
     SET directory = coalesce(new.directory, r.directory), followed = coalesce(new.followed, r.followed),
       explanation_url = CASE WHEN new.followed IS NULL THEN r.explanation_url ELSE new.explanation_url END,
       error = new.error, failures = new.failures, asked_at = coalesce(new.asked_at, r.asked_at),
       answered_at = coalesce(new.answered_at, r.answered_at), next_check_at = now() + make_interval(secs => new.next_check_in), leased_until = NULL
     FROM jsonb_to_recordset($1) AS new (organization_id uuid, id uuid, directory text, followed jsonb, explanation_url text,
       error text, failures integer, asked_at timestamptz, answered_at timestamptz, next_check_in float8)
     WHERE r.organization_id = new.organization_id AND r.id = new.id`,
    [JSON.stringify(next.map(({ row: _, ...columns }) => columns))],
  );
  const isNews = ({ followed, row }: (typeof next)[number]) =>
    followed !== null && (row.followed === null || meaningOf(row.followed) !== meaningOf(followed));
  await checkEndpoints(client, next.filter(isNews));
}

/** Records the authorities' answers, and makes endpoints due whose findings change by them. */
export async function recordRenewals(results: readonly RequestedRenewalInfo[]): Promise<void> {
  await withTransaction(pool(), (client) => record(client, results));
}

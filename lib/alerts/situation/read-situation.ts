import type { Subject } from "@/lib/alerts/alert-state";
import type { Condition, Step } from "@/lib/alerts/rules/conditions";
import type {
  Ended,
  Incident,
  OpenFinding,
  ReadBefore,
  ReportedIssuance,
  Situation,
  Validity,
} from "@/lib/alerts/situation/situation";
import { ALSO_SERVED } from "@/lib/certificates/inventory/also-served";
import type { Send, Transaction } from "@/lib/db/app";
import { groupBy } from "@/lib/group-by";
import { IS_UNAUTHORIZED } from "@/lib/subdomains/accounting/unauthorized";
import { DAY_MS } from "@/lib/time/units";

type Rule = { condition: Condition; steps: readonly Step[] };
type Row<Name extends "notBefore" | "notAfter", Of> = Omit<Of, Name> & { [N in Name]: Date };

/** The part of a situation that an evaluation reads in its transaction. */
export type Resources = Omit<Situation, keyof ReadBefore | "organizationId" | "now">;

/** The rules for which the situations of organizations are read. */
type RulesOf = ReadonlyMap<string, readonly Rule[]>;

/** Reads only what the rules' conditions need. `before` was read separately. */
export async function readSituation(
  send: Send,
  organizationId: string,
  rules: readonly Rule[],
  before: ReadBefore,
  now: Date,
): Promise<Situation> {
  const resources = (await readResourcesOf(send, new Map([[organizationId, rules]]), now))(organizationId);
  return { organizationId, now: now.getTime(), ...before, ...resources };
}

/** The resources of many organizations. With `most`, only so many of each kind and organization, so that none takes the time of others. */
export async function readResourcesOf(
  send: Send,
  rulesOf: RulesOf,
  now: Date,
  most?: number,
): Promise<(organizationId: string) => Resources> {
  const withRule = (type: Condition["type"]) =>
    [...rulesOf].flatMap(([id, rules]) => (rules.some(({ condition }) => condition.type === type) ? [id] : []));
  /** What `select` finds in each of the organizations `o`. */
  const read = async <Row extends object>(ids: readonly string[], select: string, values: readonly unknown[] = []) => {
    if (ids.length === 0) return new Map<string, Row[]>();
    const rows = await send<Row & { organizationId: string }>({
      text: `SELECT o.id AS "organizationId", found.* FROM unnest($1::uuid[]) WITH ORDINALITY AS o (id, at)
        CROSS JOIN LATERAL (${select} ${most === undefined ? "" : `LIMIT ${most}`}) AS found`,
      values: [ids, ...values],
    });
    return groupBy(rows, ({ organizationId }) => organizationId);
  };
  const [findings, issuances, validities, incidents] = await Promise.all([
    read<FindingRow>(withRule("finding"), OPEN_FINDINGS),
    read<IssuanceRow>(withRule("finding"), REPORTED_ISSUANCES, [now]),
    read<ValidityRow>(withRule("time_left"), VALIDITIES, [
      withRule("time_left").map((id) => endOfSteps(rulesOf.get(id) ?? [], now)),
    ]),
    read<IncidentRow>(withRule("monitor_down"), OPEN_INCIDENTS),
  ]);
  return (id) => ({
    findings: (findings.get(id) ?? []).map(toFinding),
    issuances: (issuances.get(id) ?? []).map((row) => ({ ...row, since: row.since.getTime() })),
    validities: (validities.get(id) ?? []).map(toValidity),
    incidents: (incidents.get(id) ?? []).map(toIncident),
  });
}

type FindingRow = Omit<OpenFinding, "openedAt" | "closedAt"> & { openedAt: Date; closedAt: Date | null };
type IncidentRow = Omit<Incident, "startedAt" | "endedAt"> & { startedAt: Date; endedAt: Date | null };

const toFinding = (row: FindingRow): OpenFinding => ({
  ...row,
  openedAt: row.openedAt.getTime(),
  closedAt: row.closedAt?.getTime() ?? null,
});
const toIncident = (row: IncidentRow): Incident => ({
  ...row,
  startedAt: row.startedAt.getTime(),
  endedAt: row.endedAt?.getTime() ?? null,
});

/**
 * Findings and incidents that ended since the previous evaluation, in order; each is returned once. Read it after the situation:
 * items in neither began later, and items in both have ended.
 */
export async function takeEnded(tx: Transaction, organizationId: string): Promise<Ended> {
  const findings = await tx.$queryRaw<FindingRow[]>`
    UPDATE certificate_findings f SET awaits_evaluation = false FROM certificate_endpoints e
    WHERE f.organization_id = ${organizationId}::uuid AND f.awaits_evaluation
      AND e.organization_id = f.organization_id AND e.id = f.endpoint_id
    RETURNING f.id, f.endpoint_id AS "endpointId", e.host || ':' || e.port AS "endpointName", e.tags,
      f.certificate_id AS "certificateId", f.code, f.severity, f.opened_at AS "openedAt", f.closed_at AS "closedAt"`;
  const incidents = await tx.$queryRaw<IncidentRow[]>`
    UPDATE uptime_incidents i SET awaits_evaluation = false FROM uptime_monitors m
    WHERE i.organization_id = ${organizationId}::uuid AND i.awaits_evaluation
      AND m.organization_id = i.organization_id AND m.id = i.monitor_id
    RETURNING i.id, i.monitor_id AS "monitorId", m.name, m.tags, i.reason, i.started_at AS "startedAt", i.ended_at AS "endedAt"`;
  return {
    findings: findings.map(toFinding).sort((a, b) => (a.closedAt ?? 0) - (b.closedAt ?? 0)),
    incidents: incidents.map(toIncident).sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)),
  };
}

const OPEN_FINDINGS = `
  SELECT f.id, f.endpoint_id AS "endpointId", e.host || ':' || e.port AS "endpointName", e.tags, e.certificate_id AS "certificateId",
    f.code, f.severity, f.opened_at AS "openedAt", f.closed_at AS "closedAt"
  FROM certificate_findings f JOIN certificate_endpoints e ON e.organization_id = f.organization_id AND e.id = f.endpoint_id
  WHERE f.organization_id = o.id AND f.closed_at IS NULL
  ORDER BY f.endpoint_id, f.code`;

type IssuanceRow = Omit<ReportedIssuance, "since"> & { since: Date };

/** Without expired certificates, which are no longer a risk. */
const REPORTED_ISSUANCES = `
  SELECT id, domain_id AS "domainId", 'issuer_unexpected' AS code, names, issuer, unexpected_since AS since FROM issuances
  WHERE organization_id = o.id AND unexpected_since IS NOT NULL AND not_after > $2
  UNION ALL
  SELECT i.id, i.domain_id, 'issuance_unauthorized', i.names, i.issuer,
    i.first_seen_at + make_interval(hours => d.unauthorized_after_hours)
  FROM issuances i JOIN domains d ON d.organization_id = i.organization_id AND d.id = i.domain_id
  WHERE i.organization_id = o.id AND ${IS_UNAUTHORIZED}
  ORDER BY id, code`;

type ValidityRow = Row<"notBefore" | "notAfter", Omit<Validity, "subject">> & Subject;

/** When certificates expire at the latest for which a step may be reached. */
function endOfSteps(rules: readonly Rule[], now: Date): Date {
  const steps = rules.flatMap(({ condition, steps }) => (condition.type === "time_left" ? steps : []));
  // A step with only a share may be reached at any number of days.
  const days = Math.max(...steps.map(({ days_left }) => days_left ?? 10_000));
  return new Date(now.getTime() + days * DAY_MS);
}

/** The validity of served and submitted certificates, only where a step may be reached. Endpoints with the urgency 9 lack expires_at. */
const VALIDITIES = `
  SELECT 'endpoint' AS type, e.id, e.host || ':' || e.port AS name, e.tags, c.id AS "certificateId", c.not_before AS "notBefore",
    c.not_after AS "notAfter"
  FROM certificate_endpoints e JOIN certificates c ON c.organization_id = e.organization_id AND c.id = e.certificate_id
  WHERE e.organization_id = o.id AND (e.expires_at < ($2::timestamptz[])[o.at] OR e.urgency = 9) AND c.not_after < ($2::timestamptz[])[o.at]
  UNION ALL
  SELECT 'endpoint', e.id, e.host || ':' || e.port, e.tags, c.id, c.not_before, c.not_after
  FROM certificate_endpoints e ${ALSO_SERVED}
  JOIN certificates c ON c.organization_id = e.organization_id AND c.id = s.certificate_id
  WHERE e.organization_id = o.id AND c.not_after < ($2::timestamptz[])[o.at]
  UNION ALL
  SELECT 'certificate', c.id, coalesce(c.common_name, c.subject), '{}', c.id, c.not_before, c.not_after
  FROM certificates c
  WHERE c.organization_id = o.id AND c.added_at IS NOT NULL AND c.not_after < ($2::timestamptz[])[o.at]
    AND NOT EXISTS (SELECT FROM certificate_endpoints e WHERE e.organization_id = c.organization_id AND e.certificate_id = c.id)
    AND NOT EXISTS (
      SELECT FROM certificate_endpoints e ${ALSO_SERVED} WHERE e.organization_id = c.organization_id AND s.certificate_id = c.id
    )`;

const toValidity = ({ type, id, name, notBefore, notAfter, ...row }: ValidityRow): Validity => ({
  ...row,
  subject: { type, id, name },
  notBefore: notBefore.getTime(),
  notAfter: notAfter.getTime(),
});

const OPEN_INCIDENTS = `
  SELECT i.id, i.monitor_id AS "monitorId", m.name, m.tags, i.reason, i.started_at AS "startedAt", i.ended_at AS "endedAt"
  FROM uptime_incidents i JOIN uptime_monitors m ON m.organization_id = i.organization_id AND m.id = i.monitor_id
  WHERE i.organization_id = o.id AND i.ended_at IS NULL`;

import { random } from "@/bench/audit/events";
import { endpoints } from "@/lib/api/endpoints";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";
import { createApiKey } from "@/lib/api-keys/create";
import { revokeApiKey } from "@/lib/api-keys/revoke";
import { rotateApiKey } from "@/lib/api-keys/rotate";
import { updateApiKey } from "@/lib/api-keys/update";
import { AuditEventDraft, type AuditRow, draftStorage } from "@/lib/audit-logs/audit-event-draft";
import type { Entry } from "@/lib/audit-logs/write/append";
import { commitEvent } from "@/lib/audit-logs/write/commit-event";
import { writer } from "@/lib/audit-logs/write/writer";
import type { FoundKey } from "@/lib/auth/find-key";
import { record } from "@/lib/auth/identify";
import { setPlan } from "@/lib/billing/set-plan";
import { db } from "@/lib/db/app";
import { API_PREFIX } from "@/lib/http/endpoint";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import { newId, newIdAt } from "@/lib/ids";
import { createOrganizationAsOperator } from "@/lib/organizations/create";
import { setMember } from "@/lib/organizations/set-member";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";
import { acts, reporter } from "@/server/demo/acts";
import { endEvaluation, evaluateState } from "@/server/demo/alerts";
import { watchHosts } from "@/server/demo/certificates";
import { setClock, withClock } from "@/server/demo/clock";
import { setUps } from "@/server/demo/extras";
import { watchBackup } from "@/server/demo/heartbeat";
import { hours, touchKeys } from "@/server/demo/log";
import { people } from "@/server/demo/people";
import { type Ask, office, request } from "@/server/demo/requests";
import { watchDomain } from "@/server/demo/subdomains";
import { watchUptime } from "@/server/demo/uptime";

const PLAN = "business";
/** The hint of a secret until it is issued. */
const NOT_YET = "…";
const OFFICE_NETWORK = "198.51.100.0/24";

/** How long ago something happened: days before today (UTC), and the hour of that day. */
export type When = (daysAgo: number, hour: number) => number;

/** Runs `work` as a person's request at a time in the past, with its audit event. */
export type Done = <Result>(at: number, by: Principal, ask: Ask, work: () => Promise<Result>) => Promise<Result>;

/** Something that happened at a time in the past. Steps run in the order of their times. */
export interface Step {
  at: number;
  run: () => Promise<void>;
}

/** The context of every act. */
export interface Stage {
  now: number;
  when: When;
  next: () => number;
  keys: Record<"prometheus" | "edge" | "terraform" | "ci" | "rotatedCi" | "contractor", FoundKey>;
}

/**
 * Fills an empty installation with 90 days of one organization, through the same verbs and writer as real requests, but at
 * times in the past. `issuer` is the identity provider of its people. No worker may run: it would judge the past as if it were now.
 */
export function createDemoData(issuer: string, now: number): Promise<Principal> {
  return withClock(() => createStory(issuer, now));
}

async function createStory(issuer: string, now: number): Promise<Principal> {
  const when: When = (daysAgo, hour) => Math.floor(now / DAY_MS) * DAY_MS - daysAgo * DAY_MS + hour * 3_600_000;
  const made = await runAsSystem(when(92, 8), { action: "organization.create" }, () =>
    createOrganizationAsOperator("Northwind Labs"),
  );
  await db().organization.update({ where: { id: made.id }, data: { demonstration: true } });
  const operator = systemPrincipal(made.id);
  await runAsSystem(when(92, 8.01), systemRow(made.id, "organization.set_plan"), () =>
    setPlan(operator, { plan: PLAN }),
  );

  const enter = async (person: (typeof people)[keyof typeof people], at: number): Promise<Principal> => {
    const { id: subject, email, name, permission } = person;
    const user = await db().user.create({
      data: { id: newIdAt(at), issuer, subject, email, name, createdAt: new Date(at) },
    });
    return { ...operator, permission, actor: { type: "user", id: user.id, email, name } };
  };
  const join = ({ email, permission }: (typeof people)[keyof typeof people], at: number) =>
    runAsSystem(at, systemRow(made.id, "member.set"), () => setMember(operator, { email, permission }));
  const ada = await enter(people.ada, when(92, 8.1));
  const grace = await enter(people.grace, when(92, 8.2));
  const katherine = await enter(people.katherine, when(45, 9));
  await join(people.ada, when(92, 8.1));
  await join(people.grace, when(92, 8.2));

  const create = (
    at: number,
    by: Principal,
    fields: Partial<Parameters<typeof createApiKey>[1]> & { name: string },
  ) => {
    const body = { permission: "read" as const, scope: null, ip_whitelist: [], expires_at: null, ...fields };
    return done(at, by, { action: "api_key.create", body: fields }, () => createApiKey(by, body));
  };
  const prometheus = await create(when(92, 9), ada, { name: "prometheus" });
  const ci = await create(when(91, 10), ada, { name: "ci-deploy", permission: "admin" });
  const terraform = await create(when(88, 14), ada, {
    name: "terraform",
    permission: "admin",
    ip_whitelist: [OFFICE_NETWORK, "203.0.113.0/24"],
  });
  const expiry = new Date(when(-9, 12)).toISOString();
  const report = await create(when(82, 9), ada, {
    name: "certificate-reports",
    permission: "admin",
    ip_whitelist: [reporter.address],
  });
  const edge = await create(when(81, 11), ada, { name: "edge-sync", expires_at: expiry });
  const contractor = await create(when(81, 12), ada, { name: "contractor" });
  const revokedAt = when(30, 17);
  const rotatedAt = when(9, 9.2);
  // Half an hour before somebody on a train is refused.
  const restrictedAt = when(2, 16.1);
  const onlyOffice = { ip_whitelist: [OFFICE_NETWORK] };
  const steps: Step[] = [
    { at: when(45, 9), run: async () => void (await join(people.katherine, when(45, 9))) },
    { at: when(60, 15), run: async () => void (await create(when(60, 15), ada, { name: "grace-notebook" })) },
    {
      at: revokedAt,
      run: async () => {
        await done(revokedAt, katherine, { action: "api_key.revoke", id: contractor.id }, () =>
          revokeApiKey(katherine, { id: contractor.id }),
        );
      },
    },
  ];

  steps.push({
    at: restrictedAt,
    run: async () => {
      const { id } = terraform;
      await done(restrictedAt, katherine, { action: "api_key.update", id, body: onlyOffice }, () =>
        updateApiKey(katherine, { id, ...onlyOffice }),
      );
    },
  });

  const next = random(1815);
  const stage: Stage = {
    now,
    when,
    next,
    keys: {
      prometheus: found(made.id, prometheus),
      edge: found(made.id, edge),
      terraform: { ...found(made.id, terraform), ipWhitelist: onlyOffice.ip_whitelist },
      ci: { ...found(made.id, ci), retiredAt: new Date(rotatedAt) },
      rotatedCi: { ...found(made.id, ci), hint: NOT_YET },
      contractor: { ...found(made.id, contractor), revokedAt: new Date(revokedAt) },
    },
  };
  setClock(when(92, 9));
  const entries = [...acts(stage), ...signIns([ada, grace, katherine], stage)].filter(
    ({ row }) => row.id < newIdAt(now),
  );
  const byKey = found(made.id, report);
  const reported = async (at: number, id: string, pem: string, work: () => Promise<unknown>) => {
    setClock(at);
    await work();
    const entry = request(at, byKey, reporter, { action: "certificate_endpoint.report", id, body: { pem } }, {}, next);
    entries.push(entry);
    await writer().write(entry);
  };
  const rotate = async () => {
    const { hint } = await done(rotatedAt, ada, { action: "api_key.rotate", id: ci.id }, () =>
      rotateApiKey(ada, { id: ci.id }),
    );
    for (const { row } of entries) if (row.api_key_hint === NOT_YET) row.api_key_hint = hint;
  };
  steps.push(
    { at: rotatedAt, run: rotate },
    ...(await watchHosts(ada, when, now, done, reported)),
    ...watchUptime(ada, when, now, next, done),
    ...watchBackup(ada, when, now, done),
    ...watchDomain(ada, when, done),
    ...setUps(ada, katherine, when, done),
    ...hours(entries, made.id, now),
  );
  for (const { at, run } of steps.sort((a, b) => a.at - b.at)) {
    setClock(at);
    await run();
  }
  setClock(now);
  await evaluateState(made.id);
  await endEvaluation(made.id, now);
  await touchKeys(entries.sort((a, b) => (a.row.id < b.row.id ? -1 : 1)));
  return ada;
}

/** Runs a verb as a call of the system at `at`. */
async function runAsSystem<Result>(at: number, known: Partial<AuditRow>, work: () => Promise<Result>): Promise<Result> {
  setClock(at);
  const event = new AuditEventDraft({ id: newIdAt(at), auth_type: "system", ...known });
  const result = await draftStorage.run(event, work);
  await commitEvent(event);
  return result;
}

function systemRow(organizationId: string, action: "organization.set_plan" | "member.set"): Partial<AuditRow> {
  return { organization_id: organizationId, retention_days: auditRetentionDays(PLAN), action };
}

/** Runs a verb as a person's change in the dashboard, which calls the API, at `at`. */
async function done<Result>(at: number, by: Principal, ask: Ask, work: () => Promise<Result>): Promise<Result> {
  const endpoint = endpoints.find(({ action }) => action === ask.action);
  if (endpoint === undefined) throw new Error(`no endpoint does ${ask.action}`);
  setClock(at);
  const event = new AuditEventDraft({
    id: newIdAt(at),
    action: endpoint.action,
    method: endpoint.method,
    route: API_PREFIX + endpoint.path,
    path: API_PREFIX + endpoint.path.replace("{id}", ask.id ?? ""),
    body_size: 0,
    status_code: endpoint.status,
    response_time_us: 14_200,
    ...office,
  });
  if (ask.body !== undefined) {
    event.body = Buffer.from(JSON.stringify(ask.body));
    event.row.body_size = event.body.length;
    event.row.content_type = "application/json";
  }
  record(event, by, PLAN);
  const result = await draftStorage.run(event, work);
  await commitEvent(event);
  return result;
}

function found(organizationId: string, key: ApiKeyWithSecret): FoundKey {
  return {
    organizationId,
    plan: PLAN,
    id: key.id,
    name: key.name,
    hint: key.hint,
    permission: key.permission,
    scope: key.scope,
    ipWhitelist: key.ip_whitelist,
    expiresAt: key.expires_at === null ? null : new Date(key.expires_at),
    revokedAt: null,
    retiredAt: null,
  };
}

/** People sign in on most working days. */
function* signIns(who: readonly Principal[], { when, next }: Stage): Generator<Entry> {
  for (let daysAgo = 91; daysAgo > 0; daysAgo--) {
    const day = new Date(when(daysAgo, 12)).getUTCDay();
    for (const [index, principal] of who.entries()) {
      const isAway = day === 0 || day === 6 || next() < 0.3 || (index === 2 && daysAgo > 44);
      if (isAway) continue;
      const event = new AuditEventDraft({
        id: newIdAt(when(daysAgo, 7.5 + next() * 2)),
        action: "session.sign_in",
        resource_type: "session",
        resource_id: newId(),
        flags: ["sign_in"],
        ...office,
      });
      record(event, principal, PLAN);
      yield { row: event.row, body: null };
    }
  }
}

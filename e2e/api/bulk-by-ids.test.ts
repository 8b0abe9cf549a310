import { beforeAll, describe, expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventById, query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import type { Alert, AlertDetail } from "@/lib/alerts/contract";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { CertificateEndpoint } from "@/lib/certificates/contract";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";
import { newId } from "@/lib/ids";
import type { Monitor } from "@/lib/uptime/contract";

const server = sharedServer();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  [organization, other] = await Promise.all([newOrganization(server), newOrganization(server)]);
});

async function post({ admin }: Organization, path: string, body: object) {
  const answer = await admin.post<{ results: BulkOutcome[] }>(path, body);
  expect(answer.status, answer.text).toBe(200);
  return { results: answer.data.results, requestId: answer.requestId };
}

const monitorInput = (extra: object = {}) => ({
  name: newId(),
  type: "tcp",
  target: "127.0.0.1:9",
  interval_seconds: 3600,
  paused: true,
  ...extra,
});

async function addMonitor({ admin }: Organization, extra: object = {}): Promise<Monitor> {
  const answer = await admin.post<Monitor>("/uptime", monitorInput(extra));
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

/** Endpoints that nobody checks, because their agents report them. */
async function addEndpoint({ admin }: Organization, tags: string[] = []): Promise<CertificateEndpoint> {
  const body = { host: `${newId()}.internal`, reported: true, tags };
  const answer = await admin.post<CertificateEndpoint>("/certificates/endpoints", body);
  expect(answer.status, answer.text).toBe(201);
  return answer.data;
}

/** An open alert of a rule that no longer exists, so that no evaluation changes it. */
async function addAlert({ id: organizationId }: Organization): Promise<string> {
  const id = newId();
  await query(
    server,
    "app",
    `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity,
       causes, detail, opened_at, memory)
     VALUES ($1, $2, $3, 'Gone', 'monitor', $4, 'shop', 0, 'warning', '{monitor_down}', 'is down', now(),
       '{"isReachability":false,"isMuted":false,"told":null,"notifiedAt":null,"flips":[],"isFlapping":false}')`,
    [organizationId, id, newId(), newId()],
  );
  return id;
}

const statuses = (results: BulkOutcome[]) => results.map(({ status }) => status);

describe("monitors", () => {
  test("are paused, resumed and tagged, with a result for each id in order, and others' ids are not found", async () => {
    const [one, two, foreign] = [
      await addMonitor(organization, { tags: ["old"] }),
      await addMonitor(organization),
      await addMonitor(other),
    ];
    const ids = [two.id.toUpperCase(), foreign.id, one.id, two.id];
    const sent = await post(organization, "/uptime/bulk/update", { ids, add_tags: ["web"], remove_tags: ["old"] });
    expect(sent.results).toEqual([
      { id: two.id, status: "updated", error: null },
      { id: foreign.id, status: "failed", error: "Not found." },
      { id: one.id, status: "updated", error: null },
    ]);
    const read = async ({ id }: Monitor) => (await organization.read.get<Monitor>(`/uptime/${id}`)).data;
    expect([(await read(one)).tags, (await read(two)).tags]).toEqual([["web"], ["web"]]);
    const resumed = await post(organization, "/uptime/bulk/update", { ids: [one.id], paused: false });
    expect(statuses(resumed.results)).toEqual(["updated"]);
    expect((await read(one)).status).not.toBe("paused");
    const paused = await post(organization, "/uptime/bulk/update", { ids: [one.id, two.id], paused: true });
    expect(statuses(paused.results)).toEqual(["updated", "unchanged"]);
    expect((await read(one)).status).toBe("paused");
    expect((await other.read.get<Monitor>(`/uptime/${foreign.id}`)).data).toMatchObject({ tags: [] });
  });

  test("keep their headers, and one with too many tags fails alone", async () => {
    const many = Array.from({ length: 20 }, (_, at) => `t${at}`);
    const http = { type: "http", target: "http://127.0.0.1:9/", headers: { "x-token": "hush" } };
    const [full, plain] = [await addMonitor(organization, { tags: many }), await addMonitor(organization, http)];
    const columns = "SELECT header_names, secrets, tags FROM uptime_monitors WHERE id = $1";
    const stored = async () => (await query<{ secrets: Buffer }>(server, "app", columns, [plain.id]))[0];
    const before = await stored();
    const sent = await post(organization, "/uptime/bulk/update", { ids: [full.id, plain.id], add_tags: ["more"] });
    expect(sent.results).toEqual([
      { id: full.id, status: "failed", error: "It would have more than 20 tags." },
      { id: plain.id, status: "updated", error: null },
    ]);
    expect(before?.secrets).toBeInstanceOf(Buffer);
    expect(await stored()).toEqual({ header_names: ["x-token"], secrets: before?.secrets, tags: ["more"] });
  });

  test("have the request in their histories, with each change", async () => {
    const [one, two] = [await addMonitor(organization), await addMonitor(organization)];
    const ids = [one.id, two.id];
    const sent = await post(organization, "/uptime/bulk/update", { ids, add_tags: ["audited"] });
    expect((await eventById(server, sent.requestId)).details).toEqual({
      created: 0,
      updated: 2,
      resource_ids: ids,
      changes: [one, two].map(({ id, name }) => ({ resource: { id, name }, field: "tags", from: [], to: ["audited"] })),
    });
    for (const id of ids) {
      const path = `/audit-logs?resource_id=${id}&action=monitor.bulk_update`;
      const { data } = await organization.read.get<AuditEvent[]>(path);
      expect(data.map((event) => event.id)).toEqual([sent.requestId]);
    }
    expect((await other.read.get<AuditEvent[]>(`/audit-logs?resource_id=${one.id}`)).data).toEqual([]);
  });
});

test("endpoints get and lose tags", async () => {
  const [one, two, foreign] = [
    await addEndpoint(organization, ["a"]),
    await addEndpoint(organization, ["b"]),
    await addEndpoint(other),
  ];
  const ids = [one.id, two.id, foreign.id];
  const body = { ids, add_tags: ["B"], remove_tags: ["a"] };
  const sent = await post(organization, "/certificates/endpoints/bulk/update", body);
  expect(statuses(sent.results)).toEqual(["updated", "unchanged", "failed"]);
  const { data } = await organization.read.get<CertificateEndpoint>(`/certificates/endpoints/${one.id}`);
  expect(data.tags).toEqual(["b"]);
  const again = await post(organization, "/certificates/endpoints/bulk/update", body);
  expect(statuses(again.results)).toEqual(["unchanged", "unchanged", "failed"]);
});

test("alerts are acknowledged, snoozed and resolved", async () => {
  const [one, two, foreign] = [await addAlert(organization), await addAlert(organization), await addAlert(other)];
  const act = (action: string, ids: string[], extra: object = {}) =>
    post(organization, "/alerts/bulk", { action, ids, ...extra });
  const read = async (id: string) => (await organization.read.get<AlertDetail>(`/alerts/${id}`)).data;
  expect(statuses((await act("acknowledge", [one, foreign], { note: "Known." })).results)).toEqual([
    "updated",
    "failed",
  ]);
  expect(statuses((await act("acknowledge", [one, two])).results)).toEqual(["unchanged", "updated"]);
  const entries = (await read(one)).timeline.filter(({ kind }) => kind === "acknowledged");
  expect(entries.map(({ details }) => details)).toEqual([{ note: "Known." }]);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect(statuses((await act("snooze", [one], { until })).results)).toEqual(["updated"]);
  expect(await read(one)).toMatchObject({ status: "snoozed", snoozed_until: until });
  expect(statuses((await act("snooze", [one], { until })).results)).toEqual(["unchanged"]);
  expect(statuses((await act("resolve", [one])).results)).toEqual(["updated"]);
  expect(statuses((await act("resolve", [one, two])).results)).toEqual(["unchanged", "updated"]);
  expect((await act("acknowledge", [one])).results).toEqual([
    { id: one, status: "failed", error: "The alert is already resolved." },
  ]);
  expect((await other.read.get<Alert>(`/alerts/${foreign}`)).data).toMatchObject({ status: "open" });
});

test("the number of ids, and what to change, are checked", async () => {
  const ids = Array.from({ length: 101 }, () => newId());
  const issueOf = async (path: string, body: object) => {
    const answer = await organization.admin.post(path, body);
    expect(answer.status, answer.text).toBe(400);
    return answer.error.issues?.[0]?.path;
  };
  const late = { until: new Date(Date.now() + 91 * 86_400_000).toISOString() };
  expect(await issueOf("/uptime/bulk/update", { ids, paused: true })).toBe("ids");
  expect(await issueOf("/uptime/bulk/update", { ids: [], paused: true })).toBe("ids");
  expect(await issueOf("/uptime/bulk/update", { ids: [newId()] })).toBe("ids");
  expect(await issueOf("/certificates/endpoints/bulk/update", { ids: [newId()] })).toBe("add_tags");
  expect(await issueOf("/alerts/bulk", { action: "snooze", ids: [newId()] })).toBe("until");
  expect(await issueOf("/alerts/bulk", { action: "resolve", ids: [newId()], ...late })).toBe("until");
  expect(await issueOf("/alerts/bulk", { action: "snooze", ids: [newId()], ...late })).toBe("until");
  const whole = await post(organization, "/uptime/bulk/update", { ids: ids.slice(1), paused: true });
  expect(new Set(statuses(whole.results))).toEqual(new Set(["failed"]));
});

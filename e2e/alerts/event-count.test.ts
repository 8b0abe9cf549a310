import { expect, test } from "vitest";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { eventsOf, makeRulesDue, query, whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import type { AlertRule, RuleMatch } from "@/lib/alerts/rules/contract";
import type { AlertCoverage } from "@/lib/alerts/rules/coverage-contract";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { systemPrincipal } from "@/lib/http/principal";
import { newId, newIdAt } from "@/lib/ids";

const server = sharedServer();

const rule = (more: object = {}, steps: object[] = [{ severity: "warning" }]) => ({
  name: "Refusals",
  condition: { type: "event_count", query: { status: "404" }, count: 2, ...more },
  steps,
});

const previewOf = async ({ admin }: Organization, input: object) => {
  const answer = await admin.post<{ count: number; matches: RuleMatch[] }>("/alert-rules/preview", input);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
};

/** Alerts of a rule, read with the verb because polling would exceed the rate limit. */
async function alertsOf({ id }: Organization, rule_id: string) {
  const others = { severity: undefined, subject_id: undefined, certificate_id: undefined, since: undefined };
  const page = { limit: 10, cursor: undefined, status: undefined, until: undefined };
  return (await listAlerts(systemPrincipal(id), { ...others, ...page, rule_id })).items;
}

test("an alert opens when enough events of the organization match the filters", async () => {
  const [owner, stranger] = [await newOrganization(server), await newOrganization(server)];
  const key = await owner.newKey();
  const ofKey = rule({ query: { status: "404", api_key_id: key.id } });
  const missing = async () => {
    await key.api.get(`/api-keys/${newId()}`);
    await whenDelivered(server, owner.id);
  };
  await missing();
  expect(await previewOf(owner, ofKey)).toEqual({ count: 0, matches: [] });
  await missing();
  expect(await previewOf(owner, ofKey)).toMatchObject({
    count: 1,
    matches: [{ subject: { type: "audit_log", id: owner.id }, causes: ["event_count"], step: 1, severity: "warning" }],
  });
  // The events of one organization never count for another one, not even when it names the key.
  expect(await previewOf(stranger, ofKey)).toEqual({ count: 0, matches: [] });

  const made = await owner.admin.post<AlertRule>("/alert-rules", ofKey);
  expect(made.data.condition).toEqual({ ...ofKey.condition, window_minutes: 60 });
  const alert = await until("the alert opens", async () => {
    await makeRulesDue(server, owner.id);
    return (await alertsOf(owner, made.data.id))[0];
  });
  expect(alert).toMatchObject({
    subject: { type: "audit_log", name: "Audit log" },
    status: "open",
    detail: "2 matching entries within 60 min",
  });
  const coverage = await owner.read.get<AlertCoverage>(
    `/alert-rules/coverage?resource_type=api_key&resource_id=${key.id}`,
  );
  expect(coverage.data.rules.map(({ id }) => id)).toContain(made.data.id);
});

test("events that reach the log after their window open an alert once, when they are delivered", async () => {
  const owner = await newOrganization(server);
  const path = `/late/${newId()}`;
  const made = await owner.admin.post<AlertRule>("/alert-rules", rule({ query: { path }, window_minutes: 5 }));
  await whenDelivered(server, owner.id);
  const [first] = await eventsOf(server, owner.id);
  const hourAgo = Date.now() - 3_600_000;
  const known = { organization_id: owner.id, retention_days: first?.retention_days ?? 0, path };
  const waiting = [hourAgo, hourAgo + 1_000].map((at) => new AuditEventDraft({ ...known, id: newIdAt(at) }).row);
  for (const row of waiting) {
    // Incomplete and not yet old enough to be interrupted, so it stays in the outbox.
    const text = `INSERT INTO audit_outbox (id, organization_id, writer, complete, event, created_at)
      VALUES ($1, $2, 1, false, $3, now() + interval '1 hour')`;
    await query(server, "app", text, [row.id, owner.id, JSON.stringify(row)]);
  }
  const countedAt = () => makeRulesDue(server, owner.id);
  await until("counting resumes before the events that wait", async () => {
    const at = await countedAt();
    return at !== null && at <= hourAgo;
  });
  expect(await alertsOf(owner, made.data.id)).toEqual([]);
  await query(server, "app", "UPDATE audit_outbox SET complete = true WHERE organization_id = $1 AND writer = 1", [
    owner.id,
  ]);
  await until("the alert opens", async () => (await countedAt()) !== null && (await alertsOf(owner, made.data.id))[0]);
  await until("counting is up to date", async () => ((await countedAt()) ?? 0) > hourAgo + 300_000 + 1_000);
  expect(await alertsOf(owner, made.data.id)).toMatchObject([{ detail: "2 matching entries within 5 min" }]);
});

test.each([
  [rule({ query: { status: "9xx" } }), "condition.query.status"],
  [rule({ query: { since: "2026-11-22T12:00:00.000Z" } }), "condition.query"],
  [rule({ count: 0 }), "condition.count"],
  [rule({ window_minutes: 1_441 }), "condition.window_minutes"],
  [rule({}, [{}]), "steps.0.severity"],
  [{ ...rule(), selector: { tags: ["shop"], ids: [] } }, "selector"],
])("%o is refused with an issue for the field", async (input, path) => {
  const { admin } = await newOrganization(server);
  const answer = await admin.post("/alert-rules", input);
  expect([answer.status, answer.error.code]).toEqual([400, "INVALID_REQUEST"]);
  expect(answer.error.issues?.map((issue) => issue.path.slice(0, path.length))).toContain(path);
});

test("an organization has at most 50 such rules, of which it can change each", async () => {
  const owner = await newOrganization(server);
  await query(server, "app", "UPDATE organizations SET plan = 'business' WHERE id = $1", [owner.id]);
  const fill = (prefix: string, count: number) =>
    query(
      server,
      "app",
      `INSERT INTO alert_rules (organization_id, id, name, enabled, selector, condition, steps, resolve_after_minutes, send_resolved,
         created_at, updated_at)
       SELECT organization_id, gen_random_uuid(), $2 || n, enabled, selector, condition, steps, resolve_after_minutes, send_resolved,
         created_at, updated_at
       FROM alert_rules, generate_series(1, $3::integer) n WHERE organization_id = $1 AND name = 'Refusals'`,
      [owner.id, prefix, count],
    );
  const made = await owner.admin.post<AlertRule>("/alert-rules", { ...rule(), enabled: false });
  await fill("filled ", 48);
  const both = ["One", "Other"].map((name) => owner.admin.post("/alert-rules", { ...rule(), enabled: false, name }));
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);

  await fill("beyond ", 1);
  const change = (id: string | undefined, input: object) => owner.admin.put(`/alert-rules/${id}`, input);
  const { condition } = rule({ count: 3 });
  expect((await change(made.data.id, { condition })).status).toBe(200);
  expect((await change(made.data.id, { name: "Renamed" })).status).toBe(200);
  const others = await owner.admin.get<AlertRule[]>("/alert-rules?limit=100");
  const flagged = others.data.find((each) => each.condition.type === "security_event");
  expect((await change(flagged?.id, { condition })).status).toBe(409);
});

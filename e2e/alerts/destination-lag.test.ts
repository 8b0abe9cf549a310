import { afterAll, expect, test } from "vitest";
import { grow, PATH, streamTo, whenTaken } from "@/e2e/audit/destinations/streaming";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink } from "@/e2e/support/stand-ins/sink";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import type { AlertRule, RuleMatch } from "@/lib/alerts/rules/contract";
import { systemPrincipal } from "@/lib/http/principal";

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const rule = {
  name: "Stream",
  condition: { type: "destination_lag", minutes: 15 },
  steps: [{ severity: "warning" }],
  resolve_after_minutes: 0,
};

const matchesOf = async ({ admin }: Organization) => {
  const answer = await admin.post<{ matches: RuleMatch[] }>("/alert-rules/preview", rule);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.matches;
};

/** The status of the rule's alert, read with the verb because polling would exceed the rate limit. */
async function alertOf({ id }: Organization, rule_id: string) {
  const others = { severity: undefined, subject_id: undefined, certificate_id: undefined, since: undefined };
  const page = { limit: 10, cursor: undefined, status: undefined, until: undefined };
  return (await listAlerts(systemPrincipal(id), { ...others, ...page, rule_id })).items[0];
}

test("an alert opens for a destination that is behind, and resolves when it has caught up", async () => {
  const [owner, other, sink] = [await newOrganization(server), await newOrganization(server), await newSink()];
  closers.push(sink.close);
  const made = await streamTo(owner, sink, { start: "oldest" });
  await grow(owner, 3);
  await whenTaken(sink, 2);
  expect(await matchesOf(owner)).toEqual([]);
  sink.act = 503;
  await grow(owner, 2);
  // As if they had waited since before.
  const age = () =>
    query(
      server,
      "audit",
      "UPDATE audit_seals SET sealed_at = now() - interval '20 minutes' WHERE organization_id = $1",
      [owner.id],
    );
  await age();
  const [match] = await matchesOf(owner);
  expect(match).toMatchObject({ subject: { type: "destination", id: made.id }, causes: ["destination_behind"] });
  expect(match?.detail).toMatch(/not sent, the first for 2\d minutes/);
  expect(await matchesOf(other)).toEqual([]);
  const created = await owner.admin.post<AlertRule>("/alert-rules", rule);
  expect(created.status, created.text).toBe(201);
  await until("the alert opens", async () => {
    await age();
    return (await alertOf(owner, created.data.id))?.status === "open";
  });
  sink.act = 200;
  await owner.admin.post(`${PATH}/${made.id}/resume`);
  await until("the alert resolves", async () => (await alertOf(owner, created.data.id))?.status === "resolved");
});

test("such a rule selects destinations by their ids, and has a severity", async () => {
  const { admin } = await newOrganization(server);
  const answer = await admin.post("/alert-rules", { ...rule, selector: { tags: ["shop"] }, steps: [{}] });
  expect(answer.error.issues?.map(({ path }) => path)).toEqual(["selector.tags", "steps.0.severity"]);
});

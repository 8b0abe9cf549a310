import pg from "pg";
import { expect, test } from "vitest";
import { whenSigned } from "@/e2e/audit/sealed/sealing";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { listAlerts } from "@/lib/alerts/list";
import type { AlertRule, RuleMatch } from "@/lib/alerts/rules/contract";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { systemPrincipal } from "@/lib/http/principal";
import { newId } from "@/lib/ids";

const server = sharedServer();
const audit = (text: string, values: unknown[]) => query(server, "audit", text, values);

const rule = {
  name: "Log",
  condition: { type: "log_integrity" },
  steps: [{ severity: "critical" }],
  resolve_after_minutes: 0,
};

const previewOf = async ({ admin }: Organization) => {
  const answer = await admin.post<{ matches: RuleMatch[] }>("/alert-rules/preview", rule);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.matches.map(({ causes, detail }) => ({ causes, detail }));
};

/** The status of a rule's alert, read with the verb because polling would exceed the rate limit. */
async function alertOf({ id }: Organization, rule_id: string) {
  const others = { severity: undefined, subject_id: undefined, certificate_id: undefined, since: undefined };
  const page = { limit: 10, cursor: undefined, status: undefined, until: undefined };
  return (await listAlerts(systemPrincipal(id), { ...others, ...page, rule_id })).items[0];
}

test("an alert opens when the self-check fails, and resolves when the next one finds nothing", async () => {
  const [owner, other] = [await newOrganization(server), await newOrganization(server)];
  const { requestId } = await owner.read.get("/api-keys");
  await whenSigned(owner.id, [requestId]);
  expect(await previewOf(owner)).toEqual([]);
  const made = await owner.admin.post<AlertRule>("/alert-rules", rule);
  const change = (path: string) =>
    audit("UPDATE audit_events SET path = $3 WHERE organization_id = $1 AND id = $2", [owner.id, requestId, path]);
  await change("/changed");
  const { wrong } = await checkLogNow(owner.id);
  const open = await until("the alert opens", async () => {
    const alert = await alertOf(owner, made.data.id);
    return alert?.status === "open" && alert;
  });
  expect(open).toMatchObject({ subject: { type: "audit_log" }, severity: "critical", causes: ["self_check_failed"] });
  expect(`${open.detail}.`).toBe(wrong?.message);
  expect(await previewOf(other)).toEqual([]);
  await change("/api/v1/api-keys");
  expect(await checkLogNow(owner.id)).toMatchObject({ wrong: null });
  await until("the alert resolves", async () => (await alertOf(owner, made.data.id))?.status === "resolved");
});

test("a log that is not sealed or not signed matches", async () => {
  const owner = await newOrganization(server);
  const { requestId } = await owner.read.get("/api-keys");
  await whenSigned(owner.id, [requestId]);
  const holder = new pg.Client({ connectionString: server.databases.audit });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM audit_seal_logs WHERE organization_id = $1 FOR UPDATE", [owner.id]);
    const queued =
      "INSERT INTO audit_seal_queue (organization_id, queued_at, ids) VALUES ($1, now() - interval '5 minutes', $2)";
    await audit(queued, [owner.id, [newId()]]);
    expect(await previewOf(owner)).toEqual([
      { causes: ["sealing_behind"], detail: "an event has waited to be sealed for 5 minutes" },
    ]);
    // Nothing of it is signed. It has no head to be signed, and rounds give it none as long as it does not outgrow the last one.
    await holder.query(`UPDATE audit_seal_logs SET signed_size = 0, head_size = size + 1000, head_root = NULL
        WHERE organization_id = '${owner.id}';
      UPDATE audit_seals SET sealed_at = now() - interval '5 minutes' WHERE organization_id = '${owner.id}'; COMMIT`);
    await until(
      "the queue is empty",
      async () => (await audit("SELECT FROM audit_seal_queue WHERE organization_id = $1", [owner.id])).length === 0,
    );
    expect(await previewOf(owner)).toEqual([
      { causes: ["sealing_behind"], detail: "a sealed event has waited to be signed for 5 minutes" },
    ]);
    await audit("UPDATE audit_seal_logs SET refused = 'It is another log.' WHERE organization_id = $1", [owner.id]);
    expect(await previewOf(owner)).toEqual([{ causes: ["signing_refused"], detail: "not signed: It is another log" }]);
  } finally {
    await holder.end();
  }
});

test("such a rule selects nothing and has a severity", async () => {
  const { admin } = await newOrganization(server);
  const answer = await admin.post("/alert-rules", { ...rule, selector: { tags: ["shop"] }, steps: [{}] });
  expect(answer.error.issues?.map(({ path }) => path)).toEqual(["selector", "steps.0.severity"]);
});

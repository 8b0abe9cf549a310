import { describe, expect, test } from "vitest";
import { exampleOf } from "@/e2e/conformance/examples";
import type { Answer } from "@/e2e/support/http";
import { newMember } from "@/e2e/support/member";
import { newOrganization } from "@/e2e/support/organization";
import { eventById, whileHeld } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { endpoints } from "@/lib/api/endpoints";
import { newId } from "@/lib/ids";

const server = sharedServer();
const LOCK_ORGANIZATION = "SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE";

/** Repeats what needs a lock while a request is answered 503, because it waited longer than the server allows. */
function unlessLate(attempt: () => Promise<Answer[]>): Promise<Answer[]> {
  return until("no request waited too long", async () => {
    const answers = await attempt();
    return answers.every(({ status }) => status !== 503) && answers;
  });
}

describe("two bulk requests that add the same item at once", () => {
  const monitor = () => ({ name: newId(), type: "tcp", target: "127.0.0.1:9", interval_seconds: 3600, paused: true });

  test.each<[string, () => object]>([
    ["/uptime/bulk", monitor],
    ["/certificates/endpoints/bulk", () => ({ host: `${newId()}.example.test`, reported: true })],
  ])("of %s create it once", async (path, newItem) => {
    const { id, admin } = await newOrganization(server);
    const answers = await unlessLate(() => {
      const items = [newItem(), newItem()];
      const held = { first: LOCK_ORGANIZATION, values: [id], waiting: 2 };
      return whileHeld(server, held, () => Promise.all([1, 2].map(() => admin.post(path, { items }))));
    });
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = answers.map(({ data }) => (data as { results: { id: string; status: string }[] }).results);
    expect(one?.map((result) => result.id)).toEqual(other?.map((result) => result.id));
    const statuses = [one, other].map((results) => results?.map(({ status }) => status).join());
    expect(statuses.sort()).toEqual(["created,created", "unchanged,unchanged"]);
    for (const { requestId } of answers) expect((await eventById(server, requestId)).status_code).toBe(200);
  });
});

describe("the event of a change that waited for another has what was there before it", () => {
  const cases: [action: string, column: string, table: string][] = [
    ["api_key.revoke", "name", "api_keys"],
    ["monitor.delete", "name", "uptime_monitors"],
    ["status_page.delete", "title", "status_pages"],
    ["maintenance_window.delete", "name", "maintenance_windows"],
    ["certificate_trust_store.delete", "name", "certificate_trust_stores"],
    ["api_key.rotate", "name", "api_keys"],
  ];

  test.each(cases)("%s", async (action, column, table) => {
    const organization = await newOrganization(server);
    const endpoint = endpoints.find((each) => each.action === action);
    if (endpoint === undefined) throw new Error(`${action} is not an action`);
    const [changed] = await unlessLate(async () => {
      const { params = {} } = await exampleOf(endpoint, organization);
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
      const held = {
        first: `UPDATE ${table} SET ${column} = 'Meanwhile' WHERE organization_id = $1 AND id = $2`,
        values: [organization.id, Object.values(params).at(-1)],
        waiting: 1,
      };
      return whileHeld(server, held, async () => [await organization.admin.request(endpoint.method, path)]);
    });
    expect(changed?.status, changed?.text).toBe(200);
    const { details } = await eventById(server, changed?.requestId ?? "");
    expect(details).toMatchObject({ resource_name: "Meanwhile" });
  });
});

describe("no deadlock with a change that locks the organization first, if", () => {
  test("an invitation is withdrawn while it is accepted", async () => {
    const { id, admin } = await newOrganization(server);
    const [withdrawn] = await unlessLate(async () => {
      const path = `/organizations/${id}/invitations`;
      const { data } = await admin.post<{ id: string }>(path, { email: `${newId()}@example.test` });
      const held = {
        first: LOCK_ORGANIZATION,
        last: "DELETE FROM invitations WHERE organization_id = $1",
        values: [id],
        waiting: 1,
      };
      return whileHeld(server, held, async () => [await admin.delete(`${path}/${data.id}`)]);
    });
    expect(withdrawn?.status).toBe(404);
  });

  test("a member is changed while others are", async () => {
    const { id, admin } = await newOrganization(server);
    const { userId } = await newMember(server, id, "read");
    const [changed] = await unlessLate(async () => {
      const held = {
        first: LOCK_ORGANIZATION,
        last: "UPDATE memberships SET permission = 'read' WHERE organization_id = $1",
        values: [id],
        waiting: 1,
      };
      const path = `/organizations/${id}/members/${userId}`;
      return whileHeld(server, held, async () => [await admin.put(path, { permission: "admin" })]);
    });
    expect(changed?.status).toBe(200);
  });
});

test("an alert rule can be changed while an alert of it is being opened", async () => {
  const { id, admin } = await newOrganization(server);
  const rule = { name: newId(), condition: { type: "time_left" }, steps: [{ share_left: 0.3, severity: "info" }] };
  const { data } = await admin.post<{ id: string }>("/alert-rules", rule);
  // As the foreign key of an alert locks it.
  const held = {
    first: "SELECT FROM alert_rules WHERE organization_id = $1 AND id = $2 FOR KEY SHARE",
    values: [id, data.id],
    waiting: Number.POSITIVE_INFINITY,
  };
  const changed = await whileHeld(server, held, () => admin.put(`/alert-rules/${data.id}`, { repeat_minutes: 60 }));
  expect(changed.status).toBe(200);
});

import { expect, test } from "vitest";
import type { Api } from "@/e2e/support/api";
import type { Answer } from "@/e2e/support/http";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSession } from "@/e2e/support/session";
import { unlessBusy } from "@/e2e/support/until";
import { compareWeeks } from "@/lib/analytics/weeks";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { AuditStats } from "@/lib/audit-logs/count/stats-contract";
import { systemPrincipal } from "@/lib/http/principal";
import { idTime } from "@/lib/ids";

const server = sharedServer();

/** Ids of the events that the filters find before an event, and the number that the figures count. */
async function found(api: Api, until: string, filters: string) {
  const query = `until=${until}${filters}`;
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Answer<AuditEvent[]> = await api.get<AuditEvent[]>(
      `/audit-logs?limit=200&${query}${cursor && `&cursor=${cursor}`}`,
    );
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.next_cursor;
  }
  const stats = await api.get<AuditStats>(`/audit-logs/stats?${query}`);
  expect(stats.data.totals.requests).toBe(ids.length);
  return ids;
}

/** A person who read, changed, failed and exported in the dashboard, and sent a request that is not from one of its pages. */
async function visitor() {
  const { api, organizationId } = await newSession(server);
  const read = await api.get("/api-keys");
  const preview = await api.post("/alert-rules/preview", {
    name: "Strangers",
    selector: { ids: [] },
    condition: { type: "finding", codes: ["issuer_unexpected"] },
    steps: [{ severity: "critical" }],
  });
  const change = await api.post<{ secret: string }>("/api-keys", { name: "Deploy" });
  const missing = await api.get("/api-keys/0193aaaa-0000-7000-8000-000000000000");
  const exported = await unlessBusy(() => api.get("/audit-logs/export?format=csv"));
  const typed = await api.with({ "sec-fetch-site": "none" }).get("/api-keys");
  await whenDelivered(server, organizationId);
  // After the last of these requests, and before the next one: that arrives when the last has been stored.
  const until = new Date(idTime(typed.requestId) + 1).toISOString();
  return { api, organizationId, until, read, preview, change, missing, exported, typed };
}

test("only what a person read in the dashboard can be left out, and figures equal the list", async () => {
  const { api, organizationId, until, read, preview, change, missing, exported, typed } = await visitor();
  expect(preview.status).toBe(200);
  const reads = await found(api, until, "&via=dashboard_read");
  expect(reads).toEqual([preview.requestId, read.requestId]);
  const all = await found(api, until, "");
  const others = await found(api, until, "&via=!dashboard_read");
  expect(others).toEqual(all.filter((id) => !reads.includes(id)));
  expect((await compareWeeks(systemPrincipal(organizationId))).last.requests).toBe(others.length);
  expect(others).toEqual(expect.arrayContaining([change, missing, exported, typed].map(({ requestId }) => requestId)));
  const ofDashboard = await found(api, until, "&via=dashboard");
  expect(ofDashboard).toEqual(
    expect.arrayContaining([...reads, change.requestId, missing.requestId, exported.requestId]),
  );
  expect(ofDashboard).not.toContain(typed.requestId);
  const unset = await api.get<AuditEvent>(`/audit-logs/${typed.requestId}`);
  const set = await api.get<AuditEvent>(`/audit-logs/${read.requestId}`);
  expect([unset.data.details, set.data.details]).toEqual([null, { via: "dashboard" }]);
});

test("exports leave nothing out unless asked, and another organization finds nothing", async () => {
  const { api, until, read, change } = await visitor();
  const file = async (filters: string) =>
    (await unlessBusy(() => api.get(`/audit-logs/export?format=ndjson&until=${until}${filters}`))).text;
  expect(await file("")).toContain(read.requestId);
  const quiet = await file("&via=!dashboard_read");
  expect(quiet).not.toContain(read.requestId);
  expect(quiet).toContain(change.requestId);
  const stranger = await newSession(server);
  expect(await found(stranger.api, until, "&via=dashboard,dashboard_read")).toEqual([]);
});

test("an unknown value is refused", async () => {
  const { api } = await newSession(server);
  const answer = await api.get("/audit-logs?via=cli");
  expect([answer.status, answer.error.issues?.[0]?.path]).toEqual([400, "via"]);
});

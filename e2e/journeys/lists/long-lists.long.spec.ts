import { expect, type Page } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import { fillWithEndpoints, fillWithMonitors } from "@/e2e/support/large-organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";

/** Open alerts of a rule that does not exist, so that no evaluation changes them. */
async function addAlerts(server: Sealwatch, organizationId: string, count: number): Promise<void> {
  await query(
    server,
    "app",
    `INSERT INTO alerts (organization_id, id, rule_id, rule_name, subject_type, subject_id, subject_name, step, severity,
       causes, detail, opened_at, memory)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), 'Gone', 'monitor', gen_random_uuid(), 'shop-' || n, 0,
       (ARRAY['info', 'warning', 'critical'])[n % 3 + 1], '{monitor_down}', 'is down', now(),
       '{"isReachability":false,"isMuted":false,"told":null,"notifiedAt":null,"flips":[],"isFlapping":false}'
     FROM generate_series(1, $2::integer) AS n`,
    [organizationId, count],
  );
}

const rowLinks = (page: Page, label: string) =>
  page.getByRole("table", { name: label, exact: true }).locator("a[data-row]");

/** Scrolls to the end of a list of which not all rows exist. */
async function toEnd(page: Page, label: string, rows: number): Promise<void> {
  const table = page.getByRole("table", { name: label, exact: true });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(table).toHaveAttribute("aria-rowcount", String(rows + 1), { timeout: 500 });
    await expect(table.locator(`tr[aria-rowindex="${rows + 1}"]`)).toBeInViewport({ timeout: 500 });
  }).toPass();
}

test("the inventory grows as people scroll, and the way back finds the place", async ({ page, sealwatch }) => {
  const { organizationId } = await enterAs(page, sealwatch);
  await fillWithEndpoints(sealwatch, organizationId, 130);
  await open(page, "/certificates/inventory?sort=name");
  const links = rowLinks(page, "Certificates");
  await expect(links.first()).toHaveText("host-1");
  await alive(links.first());
  await toEnd(page, "Certificates", 260);
  expect(await links.count()).toBeLessThan(100);
  await expect(links.last()).toHaveText("host-130");

  await test.step("j and k move between rows, also between those that do not exist yet", async () => {
    await page.keyboard.press("j");
    const focused = page.locator("tr:has(a[data-row]:focus)");
    await expect(focused).toHaveCount(1);
    const at = Number(await focused.getAttribute("aria-rowindex"));
    for (let step = 0; step < 30; step++) await page.keyboard.press("k");
    await expect(focused).toHaveAttribute("aria-rowindex", String(at - 30));
    await expect(focused).toBeInViewport();
    await page.keyboard.press("ArrowDown");
    await expect(focused).toHaveAttribute("aria-rowindex", String(at - 29));
  });

  await test.step("the way back from a certificate finds its row", async () => {
    const row = page.locator("tr:has(a[data-row]:focus)");
    const place = await row.getAttribute("aria-rowindex");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: /^host-/ })).toBeVisible();
    await page.goBack();
    await expect(page.locator(`tr[aria-rowindex="${place}"]`)).toBeInViewport();
  });
});

test("alerts beyond the first page are listed by urgency, selected and acknowledged", async ({ page, sealwatch }) => {
  const { api, organizationId } = await enterAs(page, sealwatch);
  await addAlerts(sealwatch, organizationId, 240);
  await open(page, "/alerts");
  await alive(rowLinks(page, "Unresolved alerts").first());
  await toEnd(page, "Unresolved alerts", 240);
  const table = page.getByRole("table", { name: "Unresolved alerts" });
  const last = table.locator('tr[aria-rowindex="241"]');
  await expect(last).toContainText("Info");
  await last.getByRole("checkbox").check();
  await expect(page.getByRole("status").filter({ hasText: "selected" })).toHaveText("1 of 240 alerts selected");
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText("1 alert acknowledged.")).toBeVisible();
  const { data } = await api.get<{ id: string; subject: { name: string } }[]>("/alerts?status=acknowledged");
  expect(data).toHaveLength(1);
  await expect(last).toContainText(data[0]?.subject.name ?? "none");
  await expect(last).toContainText("Acknowledged");
  await expect(table).toHaveAttribute("aria-rowcount", "241");
});

test("beyond the newest 200 keys and monitors, pages and forms say what they left out", async ({ page, sealwatch }) => {
  const { api, organizationId } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ secret: string }>("/api-keys", { name: "the oldest" });
  expect((await withKey(sealwatch, key.secret).get("/certificates")).status).toBe(200);
  await query(
    sealwatch,
    "app",
    `INSERT INTO api_keys (organization_id, id, name, permission, ip_whitelist, hint, created_at,
       created_by_type, created_by_name, revoked_at)
     SELECT $1, ('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid, 'former ' || n, 'read', '{}', '', now(),
       'user', 'Somebody', now()
     FROM generate_series(1, 201) AS n`,
    [organizationId],
  );
  await fillWithMonitors(sealwatch, organizationId, 201);
  const main = page.getByRole("main");
  await open(page, "/api-keys");
  await expect(page.getByRole("heading", { name: "No active keys on this page" })).toBeVisible();
  await open(page, "/");
  await expect(main).toContainText("None of the newest 200 keys is active.");
  await open(page, "/statistics");
  await expect(page.getByRole("link", { name: "the oldest" })).toBeVisible();
  await open(page, "/alert-rules/new");
  await page.getByLabel("Alert when").selectOption("security_event");
  await page.getByText("Select individual API keys").click();
  await expect(main).toContainText("Only the newest API keys are listed here");
  const { data: made } = await api.post<{ id: string }>(`/organizations/${organizationId}/status-pages`, {
    title: "Acme",
  });
  await open(page, `/status-pages/${made.id}`);
  await expect(main).toContainText("Only the newest monitors and endpoints are listed here");
});

test("the oldest of many saved views is found", async ({ page, sealwatch }) => {
  const { api, organizationId } = await enterAs(page, sealwatch);
  await api.post("/audit-logs/views", { name: "The oldest", query: { method: "POST" } });
  await query(
    sealwatch,
    "app",
    `INSERT INTO audit_views (organization_id, id, owner_id, name, query, created_at, created_by_type, created_by_name, updated_at)
     SELECT $1, ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid, $1, 'view-' || n, '{}', now(), 'system', 'test', now()
     FROM generate_series(1, 200) AS n`,
    [organizationId],
  );
  await open(page, "/audit-logs");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("menuitem", { name: "The oldest" }).click();
  await expect(page.getByRole("button", { name: "Saved views: The oldest" })).toBeVisible();
});

import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, type Page } from "playwright/test";
import { store } from "@/e2e/audit/store";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { newAddress, withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";
import { setPlan } from "@/lib/billing/set-plan";
import { systemPrincipal } from "@/lib/http/principal";
import { idAt, newId } from "@/lib/ids";
import { plans } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";

const table = (page: Page) => page.getByRole("table", { name: "Audit log" });
const entries = (page: Page) => table(page).locator("a[data-row]");
const entry = (page: Page) => page.getByRole("region", { name: "Entry" });
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

async function newKey({ api }: SignedIn, url: string, name: string) {
  const { data } = await api.post<{ id: string; secret: string }>("/api-keys", { name });
  return { ...data, api: withKey({ url }, data.secret) };
}

test("the source of a rotated secret is found, with its address", async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  const key = await newKey(session, sealwatch.url, "ci-deploy");
  await session.api.post(`/api-keys/${key.id}/rotate`);
  const address = newAddress();
  const forgotten = key.api.with({ "x-forwarded-for": address, "user-agent": "forgotten-runner/1.0" });
  for (let times = 0; times < 3; times++) expect((await forgotten.get("/certificates")).status).toBe(401);

  await open(page, "/security-events");
  const group = page
    .getByRole("list", { name: "Needs attention" })
    .getByRole("listitem")
    .filter({ hasText: "ci-deploy" });
  await test.step("the text of a group can be selected, which does not open it", async () => {
    const box = await group.getByRole("paragraph").first().boundingBox();
    if (box === null) throw new Error("the group has no text");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + 2, y);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, y, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(5);
    await expect(page).toHaveURL("/security-events");
  });
  await test.step("a range and the link to a group's events keep the page's filters", async () => {
    await open(page, "/security-events?method=GET");
    await page.getByRole("navigation", { name: "Range" }).getByRole("link", { name: "24 hours" }).click();
    await expect(page).toHaveURL("/security-events?method=GET&range=24h");
    const link = group.getByRole("link", { name: /Rotated secret, ci-deploy/ });
    await expect(link).toHaveAttribute("href", /method=GET/);
  });
  await alive(group.getByRole("link", { name: /Rotated secret, ci-deploy/ }));
  await group.getByText("Rotated secret", { exact: true }).click();
  await expect(page).toHaveURL(/\/audit-logs\?/);
  await expect(entries(page)).toHaveCount(3);
  await entries(page).first().click();
  await expect(entry(page)).toContainText("Rotated secret");
  await expect(entry(page)).toContainText("This happened 3 times with ci-deploy from 1 address");
  await expect(entry(page)).toContainText("The secret was rotated out");
  await expect(entry(page).getByRole("button", { name: address, exact: true })).toBeVisible();
  await expect(entry(page)).toContainText("forgotten-runner/1.0");
  await entry(page).getByRole("link", { name: "View the rotation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`/api/v1/api-keys/${key.id}/rotate`);
});

test("a range of the histogram, saved for the organization, opens for another member", async ({
  page,
  sealwatch,
  browser,
}) => {
  const session = await enterAs(page, sealwatch);
  const key = await newKey(session, sealwatch.url, "reader");
  await key.api.get("/certificates");
  await open(page, `/audit-logs?range=1h&api_key_id=${key.id}`);
  await expect(entries(page)).toHaveCount(1);

  await test.step("dragging chooses the time", async () => {
    // Again if the page still moved.
    await expect(async () => {
      const box = await page.getByTestId("histogram").boundingBox();
      if (box === null) throw new Error("there is no histogram");
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * 0.5, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 1, y, { steps: 5 });
      await page.mouse.up();
      await expect(page).toHaveURL(/since=/, { timeout: 20_000 });
    }).toPass();
    const { since, until, range } = searchOf(page);
    expect(range).toBeUndefined();
    const minutes = (Date.parse(until ?? "") - Date.parse(since ?? "")) / 60_000;
    expect(minutes).toBeGreaterThan(25);
    expect(minutes).toBeLessThan(36);
    await expect(entries(page)).toHaveCount(1);
  });

  await test.step("the view is saved", async () => {
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save current view…" }).click();
    await page.getByLabel("Name").fill("The half hour");
    await page.getByLabel("Visible to").selectOption("organization");
    await page.getByRole("button", { name: "Save view" }).click();
    await expect(page.getByRole("button", { name: "Saved views: The half hour" })).toBeVisible();
  });

  await test.step("without a mail server, the weekly e-mail cannot be turned on, and the reason is shown", async () => {
    await page.getByRole("button", { name: "Saved views: The half hour" }).click();
    await page.getByRole("menuitem", { name: "Manage saved views…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("this installation has no SMTP server");
    await expect(dialog.getByRole("checkbox")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  });

  await test.step("another member opens it", async () => {
    const context = await browser.newContext({ baseURL: sealwatch.url });
    const other = await context.newPage();
    const member = await enterAs(other, sealwatch);
    const [row] = await query<{ email: string }>(sealwatch, "app", "SELECT email FROM users WHERE id = $1", [
      member.userId,
    ]);
    await sealwatch.cli("member", "set", "--org", session.organizationId, "--email", row?.email ?? "");
    await context.addCookies([{ name: ORGANIZATION_COOKIE, value: session.organizationId, url: sealwatch.url }]);
    await open(other, "/audit-logs");
    await other.getByRole("button", { name: "Saved views" }).click();
    await expect(other.getByRole("menuitem", { name: "Save current view…" })).toHaveAttribute("aria-disabled", "true");
    await other.getByRole("menuitem", { name: "The half hour" }).click();
    await expect(entries(other)).toHaveCount(1);
    expect(searchOf(other)).toEqual(searchOf(page));
    await context.close();
  });
});

test("an export has the events that the API lists", async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  const key = await newKey(session, sealwatch.url, "reader");
  for (let times = 0; times < 7; times++) await key.api.get("/certificates");
  await key.api.post("/certificates/endpoints", { host: "example.test" });
  await open(page, `/audit-logs?api_key_id=${key.id}&method=GET`);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog", { name: "Export this view" });
  await dialog.getByLabel("Format").selectOption("ndjson");
  await test.step("a broken connection is reported in words", async () => {
    const path = "**/api/v1/audit-logs/export?**";
    await page.route(path, (route) => route.abort());
    await dialog.getByRole("button", { name: "Export", exact: true }).click();
    await expect(dialog.getByRole("alert")).toHaveText("The download was interrupted. No file was saved.");
    await page.unroute(path);
  });
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export", exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^sealwatch-audit-\d{4}-\d\d-\d\d\.ndjson$/);
  await expect(dialog.getByRole("status")).toContainText("7 entries");
  const lines = readFileSync(await file.path(), "utf8")
    .trim()
    .split("\n");
  const { data } = await session.api.get<AuditEvent[]>(`/audit-logs?api_key_id=${key.id}&method=GET&order=asc`);
  // They may be sealed in between.
  const unsealed = data.map((event) => ({ ...event, seal: null }));
  expect(lines.slice(0, -1).map((line) => ({ ...JSON.parse(line), seal: null }))).toEqual(unsealed);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ export: { rows: 7 } });
});

test("a live list shows new events, or holds them", async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  const key = await newKey(session, sealwatch.url, "reader");
  await open(page, `/audit-logs?api_key_id=${key.id}&live=1`);
  await expect(page.getByText("Waiting for the first entry…")).toBeVisible();
  const one = await key.api.get("/certificates");
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page).first()).toHaveAttribute("data-row", one.requestId);
  await expect(page.getByText("1 entry", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Pause" }).click();
  await key.api.get("/uptime");
  const three = await key.api.get("/certificates");
  await expect(page.getByRole("button", { name: "Show 2 new entries" })).toBeVisible();
  await expect(entries(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Show 2 new entries" }).click();
  await expect(entries(page)).toHaveCount(3);
  await expect(entries(page).first()).toHaveAttribute("data-row", three.requestId);
  await page.getByRole("button", { name: "Resume" }).click();
  await key.api.get("/certificates");
  await expect(entries(page)).toHaveCount(4);
  await expect(page.getByText("4 entries", { exact: true })).toBeVisible();
});

test("a live list whose session has ended says so", { tag: "@long" }, async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  await open(page, "/audit-logs?live=1");
  await query(sealwatch, "app", "DELETE FROM sessions WHERE id = $1", [session.sessionId]);
  const notice = page.getByRole("status").filter({ hasText: "Your session has ended" });
  await expect(notice.getByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/sign-in?callbackUrl=%2Faudit-logs%3Flive%3D1",
  );
});

test("the list loads more at both ends, and renders only rows near the viewport", { tag: "@long" }, async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const ids: string[] = [];
  for (let round = 0; round < 11; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.get("/api-keys")));
    ids.push(...answers.map(({ requestId }) => requestId).sort());
  }
  await open(page, "/audit-logs?action=api_key.list&reads=shown");
  const seen = new Set<string>();
  const look = async () => {
    for (const id of await entries(page).evaluateAll((links) => links.map((link) => link.getAttribute("data-row")))) {
      if (id) seen.add(id);
    }
  };
  await look();
  expect(seen.size).toBeLessThan(100);
  await expect(async () => {
    await page.mouse.wheel(0, 400);
    await look();
    expect(seen.size).toBe(ids.length);
  }).toPass();
  await expect(page.getByText("This is the oldest entry in the range.")).toBeVisible();
  expect([...seen].sort()).toEqual(ids);

  await test.step("a link to an entry further down begins there, and newer ones are above it", async () => {
    const [oldest = ""] = ids;
    // The server renders the entry as well: an exception there is an error of React in the browser.
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await open(page, `/audit-logs?action=api_key.list&reads=shown&entry=${oldest}`);
    await expect(table(page).locator(`a[data-row="${oldest}"]`)).toBeAttached();
    await page.getByRole("button", { name: "Load newer entries" }).click();
    await expect(async () => {
      await page.mouse.move(200, 400);
      await page.mouse.wheel(0, -2000);
      await expect(table(page).locator(`a[data-row="${ids.at(-1)}"]`)).toBeAttached({ timeout: 500 });
    }).toPass();
    expect(errors).toEqual([]);
  });
});

test("an event opens next to the list, and by its link as a page", async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  const key = await newKey(session, sealwatch.url, "writer");
  const sent = '{"host": "example.test",  "port": 443}';
  const refused = await key.api.post("/certificates/endpoints", sent);
  const other = await key.api.get("/certificates");
  await open(page, `/audit-logs?api_key_id=${key.id}`);
  const before = await page.evaluate(() => history.length);
  await page.locator(`a[data-row="${refused.requestId}"]`).click();
  await expect(page).toHaveURL(new RegExp(`entry=${refused.requestId}`));
  await expect(entry(page)).toContainText("Method not allowed");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "Audit log" [level=1]
      - search:
        - combobox "Filter"
      - table "Audit log":
        - rowgroup:
          - row:
            - columnheader "Method"
            - columnheader "Path"
            - columnheader "Status"
      - region "Entry":
        - heading "POST /api/v1/certificates/endpoints"
  `);
  await entry(page).getByRole("tab", { name: "As submitted" }).click();
  await expect(entry(page).getByRole("tabpanel").locator("pre")).toHaveText(sent);
  const download = page.waitForEvent("download");
  await entry(page).getByRole("button", { name: "Download body" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toBe(sent);
  await expect(entry(page)).toContainText(`-H "Authorization: Bearer $KEY"`);
  await expect(entry(page)).not.toContainText(key.secret);

  await test.step("the next entry is shown before it is loaded, and does not move then", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const whole = new RegExp(`/api/v1/audit-logs/${other.requestId}\\?`);
    await page.route(whole, async (route) => {
      await held;
      await route.continue();
    });
    await entry(page).focus();
    await page.keyboard.press("k");
    await expect(entry(page).getByRole("heading", { level: 2 }).first()).toHaveText("GET /api/v1/certificates");
    const status = entry(page).getByRole("button", { name: "200", exact: true });
    const at = await status.boundingBox();
    expect(at).not.toBeNull();
    await expect(entry(page)).not.toContainText("A GET request has no body.");
    release();
    await expect(entry(page)).toContainText("A GET request has no body.");
    expect(await status.boundingBox()).toEqual(at);
    await page.unroute(whole);
  });

  await test.step("keys lead to its neighbours and away", async () => {
    await expect(page).toHaveURL(new RegExp(`entry=${other.requestId}`));
    await page.keyboard.press("Escape");
    await expect(entry(page)).toBeHidden();
    await expect(page.locator(`a[data-row="${other.requestId}"]`)).toBeFocused();
    await page.locator(`a[data-row="${refused.requestId}"]`).click();
    await expect(entry(page)).toBeFocused();
    // Both keys before the page can render the neighbouring event.
    await page.evaluate(() => {
      for (const key of ["k", "Escape"])
        document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });
    await expect(entry(page)).toBeHidden();
    await expect(page.locator(`a[data-row="${other.requestId}"]`)).toBeFocused();
    // Closing goes back to the list: opening twice has not made the history longer than opening once.
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
  });

  await test.step("by its link it is a page, and the way back leads to its place", async () => {
    const answer = await page.goto(`/audit-logs/${refused.requestId}`);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1, name: "POST /api/v1/certificates/endpoints" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Nearby entries" })).toBeVisible();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").click();
    await expect(entry(page)).toContainText("Method not allowed");
  });
});

test("columns can be chosen, and the URL keeps them", { tag: "@long" }, async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  await open(page, "/audit-logs");
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "User agent" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Duration" }).click();
  await page.keyboard.press("Escape");
  await expect(table(page).getByRole("columnheader", { name: "User agent" })).toBeVisible();
  await page.reload();
  await expect(table(page).getByRole("columnheader", { name: "User agent" })).toBeVisible();
  await expect(table(page).getByRole("columnheader", { name: "ms" })).toBeHidden();
});

test("rare old events are searched in steps, and the page says so", { tag: "@long" }, async ({ page, sealwatch }) => {
  const { organizationId } = await enterAs(page, sealwatch);
  // No other organization has days of this class: whoever reads a blocked day waits, too.
  const principal = systemPrincipal(organizationId);
  await withAuditEvent({ action: "organization.set_plan", principal }, () =>
    setPlan(principal, { plan: "enterprise" }),
  );
  const retention_days = plans.enterprise.auditRetentionDays;
  const eventFrom = (daysAgo: number, path: string) => {
    const id = idAt(Date.now() - daysAgo * DAY_MS).slice(0, 14) + newId().slice(14);
    const known = { organization_id: organizationId, retention_days, method: "GET", status_code: 200 };
    return new AuditEventDraft({ ...known, id, path }).row;
  };
  const [recent, older] = [eventFrom(6, "/else"), eventFrom(20, "/else")];
  await store([recent, older, eventFrom(22, "/api/v1/certificates/long-ago")]);

  // Again if a slow machine blocked a day for longer than a request may wait.
  await expect(async () => {
    const [first, second] = [await holdDay(sealwatch, recent.id), await holdDay(sealwatch, older.id)];
    try {
      await page.goto("/audit-logs?range=30d&path=/api/v1/certificates/long-ago", { waitUntil: "commit" });
      await until("the first piece takes long", () => first.isWaitedFor("2.1 seconds"), 20_000);
      await first.release();
      await expect(page.getByText("Nothing found yet. Searching further back…")).toBeVisible({ timeout: 20_000 });
      await until("the second piece is under way", () => second.isWaitedFor("0 seconds"), 20_000);
    } finally {
      await Promise.all([first.release(), second.release()]);
    }
    await expect(entries(page)).toHaveCount(1, { timeout: 20_000 });
  }).toPass();
  await expect(table(page)).toContainText("long-ago");
  await expect(page.getByText("This is the oldest entry in the range.")).toBeVisible();
});

/** Blocks reads of the events of one day, like a slow disk. */
async function holdDay(sealwatch: Sealwatch, id: string) {
  const holder = new pg.Client({ connectionString: sealwatch.databases.audit });
  await holder.connect();
  const { rows } = await holder.query("SELECT tableoid::regclass AS day FROM audit_events WHERE id = $1", [id]);
  await holder.query(`BEGIN; LOCK TABLE ${rows[0]?.day} IN ACCESS EXCLUSIVE MODE`);
  let released: Promise<void> | undefined;
  const waiting = `SELECT FROM pg_stat_activity JOIN pg_locks USING (pid)
    WHERE NOT granted AND relation = $1::regclass AND query LIKE '%audit_events%' AND query_start < now() - $2::interval`;
  return {
    isWaitedFor: async (time: string) =>
      (await query(sealwatch, "audit", waiting, [String(rows[0]?.day), time])).length > 0,
    /** Later calls do nothing. */
    release: () => {
      released ??= holder.end();
      return released;
    },
  };
}

import { expect, type Locator, type Page } from "playwright/test";
import { fillDomains } from "@/e2e/journeys/discovered";
import { type Full, fill, fillUptime, type Uptime } from "@/e2e/journeys/full-organization";
import { alive, cookiesOf, enterAs, fillIn, open, settled } from "@/e2e/journeys/steps";
import { Api } from "@/e2e/support/api";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { isLong } from "@/e2e/support/tier";
import { newId } from "@/lib/ids";

/** The open dialog. The page behind it is inert, and inspected by itself. */
const DIALOG = "dialog:modal";

async function inspectDialog(page: Page, what: string, press: () => Promise<void>): Promise<void> {
  await press();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("button").last()).toBeVisible();
  await inspect(page, what, DIALOG);
}

for (const [look, width] of [
  ["wide", 1440],
  ["narrow", 390],
] as const) {
  test.describe(look, () => {
    const isNarrow = look === "narrow";
    test.use({
      viewport: { width, height: isNarrow ? 844 : 900 },
      isMobile: isNarrow,
      hasTouch: isNarrow,
    });

    /**
     * Opens and inspects pages. In `npm test` each has one of the two widths, in the light theme. The long tier adds the other width in
     * the light theme, and the dark theme at the first.
     */
    async function inspectPages(page: Page, paths: readonly string[], isInBothTiers = true): Promise<void> {
      for (const [index, path] of paths.entries()) {
        const isDaily = isInBothTiers && index % 2 === (isNarrow ? 1 : 0);
        if (!isLong && !isDaily) continue;
        await open(page, path);
        await inspect(page, path, "html", [isLong && isDaily ? "dark" : "light"]);
      }
    }

    test("pages with data of every kind", async ({ page, sealwatch }) => {
      const full = await fill(await enterAs(page, sealwatch));
      await inspectPages(page, pathsOf(full));
      await full.server.close();
    });

    test("pages of monitored endpoints and monitors", { tag: isNarrow ? ["@long"] : [] }, async ({
      page,
      sealwatch,
    }) => {
      const session = await enterAs(page, sealwatch);
      const full = await fill(session);
      await inspectPages(page, watchedPaths(full, await fillUptime(session, full)), !isNarrow);
      await full.server.close();
    });

    test("pages of discovery", { tag: "@long" }, async ({ page, sealwatch }) => {
      const { proven, unproven } = await fillDomains(sealwatch, await enterAs(page, sealwatch));
      for (const path of [
        "/subdomains",
        "/subdomains?state=ignored",
        "/subdomains?state=teapot",
        "/subdomains/domains",
        `/subdomains/domains/${proven.id}`,
        `/subdomains/domains/${unproven.id}`,
        "/subdomains/issuances",
      ]) {
        await open(page, path);
        await inspect(page, path);
      }
      await open(page, "/subdomains");
      const wildcard = page.getByLabel(`Select *.apps.${proven.name}`);
      await alive(wildcard);
      await wildcard.check();
      await page.getByRole("button", { name: "Monitor", exact: true }).click();
      await expect(page.getByText("A wildcard stands for many hosts")).toBeVisible();
      await inspect(page, "what could not be monitored");
      await inspectDialog(page, "add domain", () => page.getByRole("button", { name: "Add domain" }).click());
    });

    // The journeys open these dialogs, too; empty pages and the organization's pages consist of the components of the pages above.
    if (!isLong) return;

    test("dialogs and menus", async ({ page, sealwatch }) => {
      const full = await fill(await enterAs(page, sealwatch));
      await open(page, "/api-keys");
      const dialog = page.getByRole("dialog");
      const openAction = async (name: string) => {
        await page.getByRole("button", { name: "Actions for metrics" }).click();
        await page.getByRole("menuitem", { name }).click();
      };
      for (const name of ["Edit…", "Rotate secret…", "Revoke…"]) {
        await inspectDialog(page, name, () => openAction(name));
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
      }
      await page.getByRole("button", { name: "Actions for metrics" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
      // Everything else is hidden from assistive technology, and the focus stays in the menu.
      await inspect(page, "an open menu", "[role=menu]");
      await page.keyboard.press("Escape");
      await inspectDialog(page, "create a key", () => page.getByRole("button", { name: "Create key" }).click());
      await dialog.getByRole("button", { name: "Create key" }).click();
      await expect(dialog.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
      await expect(dialog.getByLabel("Name")).toBeFocused();
      await inspect(page, "a form with an error", DIALOG);
      await dialog.getByLabel("Name").fill("new");
      await dialog.getByRole("button", { name: "Create key" }).click();
      await expect(dialog).toContainText("This is the only time the secret is shown.");
      await inspect(page, "the secret", DIALOG);
      await dialog.getByRole("button", { name: "I have stored the secret" }).click();

      await open(page, `/certificates/endpoints/${full.endpointId}`);
      await alive(page.getByRole("button", { name: "Check now" }));
      for (const name of ["Edit…", "Delete…"]) {
        await inspectDialog(page, `${name} endpoint`, () => page.getByRole("button", { name }).click());
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
      }
      await open(page, "/certificates");
      await inspectDialog(page, "add endpoint", () => page.getByRole("button", { name: "Add endpoint" }).click());
      await dialog.getByLabel("Host").fill("127.0.0.1");
      await dialog.getByLabel("Port").fill(String(full.server.port));
      await dialog.getByRole("button", { name: "Add endpoint" }).click();
      await expect(dialog).toContainText("Untrusted root");
      await inspect(page, "what the first check found", DIALOG);
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      for (const [path, name] of [
        ["/members", "Invite member"],
        ["/uptime", "Add monitor"],
        ["/notification-channels", "Add channel"],
        ["/status-pages", "Create status page"],
        ["/audit-logs", "Export"],
      ] as const) {
        await open(page, path);
        await inspectDialog(page, name, () => page.getByRole("button", { name, exact: true }).first().click());
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      for (const [what, press] of [
        ["the palette", "Control+k"],
        ["the list of keys", "?"],
      ] as const) {
        await inspectDialog(page, what, () => page.keyboard.press(press));
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
      }
      if (isNarrow) {
        await page.getByRole("button", { name: "Menu" }).click();
        await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
        await inspect(page, "the navigation as a sheet", DIALOG);
      }
      await full.server.close();
    });

    test("dialogs of saved views, domains, monitors and trust stores, and for several rows", async ({
      page,
      sealwatch,
    }) => {
      const session = await enterAs(page, sealwatch);
      const full = await fill(session);
      const { monitorId } = await fillUptime(session, full);
      const { proven } = await fillDomains(sealwatch, session);
      const dialog = page.getByRole("dialog");
      const inspected = async (what: string, press: () => Promise<void>) => {
        await inspectDialog(page, what, press);
        await page.keyboard.press("Escape");
        await expect(dialog).toBeHidden();
      };
      const buttons = async (path: string, names: readonly string[]) => {
        await open(page, path);
        for (const name of names) {
          const button = page.getByRole("button", { name, exact: true });
          await alive(button);
          await inspected(`${name}, ${path}`, () => button.click());
        }
      };
      await buttons(`/uptime/${monitorId}`, ["Edit…", "Delete…"]);
      await buttons(`/subdomains/domains/${proven.id}`, ["Edit…", "Delete…"]);
      const items = async (path: string, name: string, labels: readonly string[]) => {
        for (const label of labels) {
          await inspected(`${label} of ${name}, ${path}`, async () => {
            await page.getByRole("button", { name: `Actions for ${name}` }).click();
            await page.getByRole("menuitem", { name: label }).click();
          });
        }
      };
      await buttons("/certificates/trust-stores", ["Add trust store"]);
      await items("/certificates/trust-stores", "Ours", ["Edit…", "Delete…"]);
      await buttons("/certificates/agents", ["Add agent"]);
      await items("/certificates/agents", "Office", ["Replace credentials…", "Delete…"]);
      for (const [path, noun] of [
        ["/uptime", "monitor"],
        ["/certificates", "endpoint"],
      ] as const) {
        await open(page, path);
        const all = page.getByRole("checkbox", { name: `Select all ${noun}s shown` });
        await alive(all);
        await all.check();
        const bar = page.getByRole("region", { name: /^Actions for/ });
        await inspected(`tag ${noun}s`, () => bar.getByRole("button", { name: "Tag…" }).click());
        await inspected(`delete ${noun}s`, () => bar.getByRole("button", { name: "Delete…" }).click());
      }

      await open(page, "/audit-logs?status=4xx");
      const views = (item: string) => async () => {
        await page.getByRole("button", { name: /^Saved views/ }).click();
        await page.getByRole("menuitem", { name: item }).click();
      };
      await inspectDialog(page, "save a view", views("Save current view…"));
      await dialog.getByLabel("Name").fill("Refused");
      await dialog.getByRole("button", { name: "Save view" }).click();
      await expect(dialog).toBeHidden();
      await inspected("saved views", views("Manage saved views…"));
      await page.route("**/api/v1/audit-logs/export*", () => {});
      await inspectDialog(page, "export", () => page.getByRole("button", { name: "Export", exact: true }).click());
      await dialog.getByRole("button", { name: "Export" }).click();
      await expect(dialog.getByRole("progressbar")).toBeVisible();
      await inspect(page, "a running export", DIALOG);
      await dialog.getByRole("button", { name: "Cancel export" }).click();
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await page.getByRole("link", { name: "Alert me on this" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "New alert rule" })).toBeVisible();
      await settled(page);
      await inspect(page, "alert me on this");
      await full.server.close();
    });

    test("signing in, and an empty organization", async ({ page, person, sealwatch }) => {
      await open(page, "/sign-in?error=AccessDenied");
      await inspect(page, "sign-in");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByLabel("Password")).toBeVisible();
      await inspect(page, "the identity provider's form");
      await fillIn(page, { ...person, password: "not the password" });
      await expect(page.getByRole("alert")).toBeVisible();
      await inspect(page, "the identity provider's refusal");
      await enterAs(page, sealwatch);
      for (const path of [
        "/",
        "/certificates",
        "/alerts",
        "/alerts?severity=teapot",
        "/api-keys",
        "/audit-logs?method=DELETE",
        "/security-events?flag=rate_limited",
        "/statistics?since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z",
      ]) {
        await open(page, path);
        await inspect(page, `${path}, empty`);
      }
      await open(page, `/audit-logs/${newId()}`);
      await inspect(page, "not found");
      await open(page, "/nowhere");
      await inspect(page, "nowhere");
    });

    test("an organization without endpoints and monitors", async ({ page, sealwatch }) => {
      await enterAs(page, sealwatch);
      for (const path of [
        "/certificates/inventory",
        "/certificates/renewals",
        "/certificates/trust-stores",
        "/certificates/agents",
        "/certificates/calendars",
        "/uptime",
        "/uptime/incidents",
        "/uptime/maintenance",
        "/status-pages",
        "/analytics",
        "/analytics/expiry",
        "/analytics/lifetimes",
        "/analytics/renewals",
        "/analytics/uptime",
        "/subdomains",
        "/subdomains/domains",
        "/subdomains/issuances",
      ]) {
        await open(page, path);
        await inspect(page, `${path}, empty`);
      }
    });

    test("the organization's pages, and the API reference", async ({ page, sealwatch }) => {
      const { api, organizationId } = await enterAs(page, sealwatch);
      await api.post(`/organizations/${organizationId}/invitations`, { email: "ada@example.com" });
      for (const path of [
        "/organization",
        "/members",
        "/billing",
        "/api-reference",
        "/api-reference/alert_rule_create",
        "/invitations/none",
      ]) {
        await open(page, path);
        await inspect(page, path);
      }
    });
  });
}

function pathsOf({ entryId, keyId, alertId, ruleId, channelId, destinationId }: Full): string[] {
  return [
    "/",
    "/alerts",
    `/alerts/${alertId}`,
    "/alert-rules",
    `/alert-rules/${ruleId}`,
    "/alert-rules/new",
    "/notification-channels",
    `/notification-channels/${channelId}`,
    "/api-keys",
    `/api-keys/${keyId}`,
    "/audit-logs",
    "/audit-logs?status=4xx&method=POST",
    "/audit-logs?status=teapot",
    `/audit-logs?entry=${entryId}&columns=time,path,query,user_agent,action`,
    `/audit-logs/${entryId}`,
    "/security-events",
    "/security-events?flag=teapot",
    "/statistics",
    "/integrity",
    "/destinations",
    "/destinations/new",
    `/destinations/${destinationId}`,
    `/destinations/${destinationId}/edit`,
    "/destinations/new?type=syslog",
    "/integrity/holds/new",
  ];
}

function watchedPaths({ endpointId, certificateId }: Full, { monitorId, incidentId }: Uptime): string[] {
  return [
    "/certificates",
    "/certificates?status=critical&finding=expired&q=nothing",
    `/certificates/endpoints/${endpointId}`,
    `/certificates/${certificateId}`,
    "/certificates/import",
    "/certificates/renewals?days=400",
    "/certificates/trust-stores",
    "/certificates/agents",
    "/certificates/calendars",
    "/certificates/inventory",
    "/certificates/inventory?key_type=ec-256&unused=false&sort=discovered",
    "/certificates/inventory?expires_before=teapot",
    "/analytics",
    "/analytics/expiry",
    "/analytics/lifetimes",
    "/analytics/renewals",
    "/analytics/issuers",
    "/analytics/keys",
    "/analytics/uptime",
    "/analytics/response-times",
    "/uptime",
    `/uptime/${monitorId}`,
    "/uptime/incidents",
    `/uptime/incidents/${incidentId}`,
    "/uptime/maintenance",
  ];
}

/** Presses Tab until an element has the focus. The focus must be visible on every element in between. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  const isThere = () => element.evaluate((node) => node === document.activeElement);
  for (let stops = 0; stops < 60 && !(await isThere()); stops++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const { activeElement: at } = document;
      if (at === null || at === document.body) return null;
      const { width, top, bottom } = at.getBoundingClientRect();
      // A field within a frame leaves the outline to the frame.
      const isOutlined = [at, at.parentElement].some((each) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(each ?? at);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
      });
      return { html: at.outerHTML.slice(0, 200), isSeen: isOutlined && width > 0 && bottom > 0 && top < innerHeight };
    });
    if (focus) expect(focus).toMatchObject({ isSeen: true });
  }
  await expect(element).toBeFocused();
}

// Those that follow would be the same in the long tier.
const dailyTest = isLong ? () => {} : test;

dailyTest("by keyboard alone from the sign-in to an audit event", async ({ page, person, sealwatch }) => {
  await open(page, "/sign-in");
  await tabTo(page, page.getByRole("button", { name: "Sign in" }));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type(person.email);
  await tabTo(page, page.getByLabel("Password"));
  await page.keyboard.type(person.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await settled(page);

  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeInViewport();
  // Not from a page of the dashboard, because the log hides what is read there.
  const headers = { cookie: await cookiesOf(page), origin: sealwatch.url, "sec-fetch-site": "none" };
  const api = new Api(sealwatch.url, headers);
  const [older, newer] = [await api.get("/api-keys"), await api.get("/certificates")];
  await tabTo(page, page.getByRole("navigation").getByRole("link", { name: "Audit log" }));
  await page.keyboard.press("Enter");
  const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
  await tabTo(page, rows.nth(1).getByRole("link"));
  await page.keyboard.press("ArrowDown");
  await expect(rows.nth(2).getByRole("link")).toBeFocused();
  await page.keyboard.press("k");
  await expect(rows.nth(1).getByRole("link")).toHaveAttribute("href", `/audit-logs/${newer.requestId}`);
  await expect(rows.nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const beside = page.getByRole("region", { name: "Entry" });
  await expect(beside.getByRole("heading", { name: "GET /api/v1/api-keys" })).toBeVisible();
  await expect(beside).toBeFocused();
  await tabTo(page, beside.getByRole("link", { name: "Open as a page" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/audit-logs/${older.requestId}`);
  await expect(page.getByRole("heading", { level: 1, name: "GET /api/v1/api-keys" })).toBeVisible();
});

dailyTest("a chosen theme is kept, and can be reset", async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  await open(page, "/");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const choose = async (name: string) => {
    await page
      .getByRole("complementary")
      .getByRole("button", { name: / admin$/ })
      .click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  const light = await background();
  await choose("Dark");
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await open(page, "/api-keys");
  expect(await background()).toBe(dark);
  await choose("System");
  await expect.poll(background).toBe(light);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(background).toBe(dark);
});

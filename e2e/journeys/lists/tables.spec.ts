import { expect, type Page } from "playwright/test";
import { enterAs, open, toasts } from "@/e2e/journeys/steps";
import type { Api } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import { fillWithMonitors } from "@/e2e/support/large-organization";
import { query } from "@/e2e/support/servers/databases";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { Monitor } from "@/lib/uptime/contract";

const bar = (page: Page) => page.getByRole("region", { name: /^Actions for/ });
const count = (page: Page) => page.getByRole("status").filter({ hasText: "selected" });

test("monitors are selected, paused with undo, tagged and deleted", async ({ page, sealwatch }) => {
  const { api, sessionId } = await enterAs(page, sealwatch);
  const add = (name: string) =>
    api.post<Monitor>("/uptime", { name, type: "tcp", target: "127.0.0.1:9", interval_seconds: 3600, paused: true });
  for (const name of ["shop", "blog", "docs", "mail"]) await add(name);
  await open(page, "/uptime");
  const table = page.getByRole("table", { name: "Monitors" });
  const box = (name: string) => table.getByRole("checkbox", { name: `Select ${name}` });
  const pausedOnes = async () => {
    const { data } = await api.get<Monitor[]>("/uptime?status=paused");
    return data.map(({ name }) => name).sort();
  };

  await test.step("with Shift a range, with x the row with the focus, with Escape none", async () => {
    await box("blog").click();
    await expect(count(page)).toHaveText("1 of 4 monitors selected");
    await box("mail").click({ modifiers: ["Shift"] });
    await expect(count(page)).toHaveText("3 of 4 monitors selected");
    await page.keyboard.press("Escape");
    await expect(bar(page)).toBeHidden();
    await table.getByRole("link", { name: "shop" }).focus();
    await page.keyboard.press("x");
    await expect(box("shop")).toBeChecked();
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await expect(count(page)).toHaveText("2 of 4 monitors selected");
  });

  await test.step("they are resumed, and that is undone", async () => {
    await toasts(page, "2 monitors resumed.", () => bar(page).getByRole("button", { name: "Resume" }).click());
    expect(await pausedOnes()).toEqual(["blog", "docs"]);
    await expect(bar(page)).toBeHidden();
    await toasts(page, "2 monitors paused.", () => page.getByRole("button", { name: "Undo" }).click());
    expect(await pausedOnes()).toEqual(["blog", "docs", "mail", "shop"]);
  });

  await test.step("all are tagged", async () => {
    await table.getByRole("checkbox", { name: "Select all monitors shown" }).check();
    await bar(page).getByRole("button", { name: "Tag…" }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 4 monitors" });
    await dialog.getByRole("button", { name: "Add tag" }).click();
    await expect(dialog.getByRole("alert")).toHaveText("Enter a tag.");
    await dialog.getByLabel("Tag").fill("web");
    await toasts(page, "4 monitors tagged web.", () => dialog.getByRole("button", { name: "Add tag" }).click());
    expect((await api.get<Monitor[]>("/uptime?tag=web")).data).toHaveLength(4);
    await expect(table.getByRole("cell", { name: "web", exact: true })).toHaveCount(4);
  });

  await test.step("a monitor's history has it", async () => {
    await table.getByRole("link", { name: "shop" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "shop" })).toBeVisible();
    await expect(page.getByRole("table", { name: "History" })).toContainText("Changed 4 monitors");
    await page.goBack();
  });

  await test.step("two are deleted after a confirmation", async () => {
    await box("docs").check();
    await box("mail").check();
    await bar(page).getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 monitors?" });
    await toasts(page, "2 monitors deleted.", () => dialog.getByRole("button", { name: "Delete 2 monitors" }).click());
    await expect(table.locator("a[data-row]")).toHaveText(["blog", "shop"]);
    await expect(table.getByRole("checkbox", { name: "Select all monitors shown" })).toBeFocused();
  });

  await test.step("without a session, the selection and what was typed stay", async () => {
    await box("blog").check();
    await bar(page).getByRole("button", { name: "Tag…" }).click();
    const dialog = page.getByRole("dialog", { name: "Tag 1 monitor" });
    await dialog.getByLabel("Tag").fill("typed");
    await query(sealwatch, "app", "DELETE FROM sessions WHERE id = $1", [sessionId]);
    await dialog.getByRole("button", { name: "Add tag" }).click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.getByRole("button", { name: "I have signed in" }).click();
    await expect(dialog.getByLabel("Tag")).toHaveValue("typed");
    await expect(box("blog")).toBeChecked();
  });
});

test("what was done before the end of the session is no longer selected, and is shown when the session is back", {
  tag: "@long",
}, async ({ page, sealwatch, context }) => {
  const { organizationId, sessionId } = await enterAs(page, sealwatch);
  await fillWithMonitors(sealwatch, organizationId, 101);
  const endSession = (at: string | null) =>
    query(sealwatch, "app", "UPDATE sessions SET ended_at = $2 WHERE id = $1", [sessionId, at]);
  let requests = 0;
  await page.route("**/uptime/bulk/update", async (route) => {
    requests += 1;
    if (requests === 2) await endSession("now");
    await route.continue();
  });
  await open(page, "/uptime?limit=200&sort=name");
  const table = page.getByRole("table", { name: "Monitors" });
  const first = table.getByRole("row").filter({ has: page.getByRole("link", { name: "monitor 1", exact: true }) });
  await expect(first).not.toContainText("Paused");
  await table.getByRole("checkbox", { name: "Select all monitors shown" }).check();
  await toasts(page, "80 monitors paused.", () => bar(page).getByRole("button", { name: "Pause" }).click());
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(ended).toBeVisible();
  await endSession(null);
  const tab = await context.newPage();
  await open(tab, "/members");
  await tab.close();
  await expect(ended).toBeHidden();
  await expect(first).toContainText("Paused");
  await expect(count(page)).toHaveText("1 of 101 monitors selected");
});

test("endpoints are sorted by their headers, and the chosen order and columns stay", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  for (const n of [10, 2, 1]) {
    await api.post("/certificates/endpoints", { host: `host${n}.internal`, reported: true, tags: ["web"] });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page, "/certificates");
  const table = page.getByRole("table", { name: "Endpoints" });
  const header = (name: string) => table.getByRole("columnheader", { name, exact: true });
  await expect(header("State")).toHaveAttribute("aria-sort", "ascending");
  await expect(table).toContainText("web");
  // Room for `intranet.northwind.example`: hosts that are cut off look alike.
  expect((await header("Endpoint").boundingBox())?.width).toBeGreaterThan(260);

  await test.step("by name, in natural order and in reverse", async () => {
    await header("Endpoint").getByRole("link").click();
    await expect(header("Endpoint")).toHaveAttribute("aria-sort", "ascending");
    await expect(table.locator("a[data-row]")).toHaveText([/^host1\./, /^host2\./, /^host10\./]);
    await header("Endpoint").getByRole("link").click();
    await expect(header("Endpoint")).toHaveAttribute("aria-sort", "descending");
    await expect(table.locator("a[data-row]")).toHaveText([/^host10\./, /^host2\./, /^host1\./]);
    await expect(page).toHaveURL("/certificates?sort=name&order=desc");
  });

  await test.step("a hidden column stays hidden", async () => {
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Tags" }).click();
    await expect(header("Tags")).toBeHidden();
    await page.keyboard.press("Escape");
    await open(page, "/certificates");
    await expect(header("Expires")).toBeVisible();
    await expect(header("Tags")).toBeHidden();
  });

  await test.step("the order stays too, until the usual one is chosen", async () => {
    await expect(header("Endpoint")).toHaveAttribute("aria-sort", "descending");
    await expect(table.locator("a[data-row]")).toHaveText([/^host10\./, /^host2\./, /^host1\./]);
    await header("State").getByRole("link").click();
    await expect(page).toHaveURL("/certificates");
    await expect(header("State")).toHaveAttribute("aria-sort", "ascending");
    await open(page, "/certificates");
    await expect(header("State")).toHaveAttribute("aria-sort", "ascending");
  });
});

test("a page of a list that has become empty does not claim that nothing exists", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const window = { starts_at: "2099-01-01T00:00:00Z", ends_at: "2099-01-01T01:00:00Z" };
  for (const name of ["one", "another"]) await api.post("/uptime/maintenance-windows", { name, ...window });
  const { data, pagination } = await api.get<{ id: string }[]>("/uptime/maintenance-windows?limit=1");
  const { data: all } = await api.get<{ id: string }[]>("/uptime/maintenance-windows");
  for (const { id } of all.filter(({ id }) => id !== data[0]?.id))
    await api.delete(`/uptime/maintenance-windows/${id}`);
  await open(page, `/uptime/maintenance?cursor=${pagination.next_cursor}`);
  await expect(page.getByRole("heading", { name: "Nothing on this page" })).toBeVisible();
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page.getByRole("table", { name: "Maintenance windows" }).getByRole("row")).toHaveCount(2);
});

test("a confirmation that opens again does not show why the last attempt failed", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const window = { starts_at: "2099-01-01T00:00:00Z", ends_at: "2099-01-01T01:00:00Z" };
  await api.post("/uptime/maintenance-windows", { name: "Upgrade", ...window });
  await open(page, "/uptime/maintenance");
  const error = { code: "CONFLICT", message: "Somebody changes it.", request_id: "none" };
  await page.route(
    "**/api/v1/uptime/maintenance-windows/*",
    (route) => route.fulfill({ status: 409, contentType: "application/json", body: JSON.stringify({ error }) }),
    { times: 1 },
  );
  const dialog = page.getByRole("dialog", { name: "Delete Upgrade?" });
  await page.getByRole("button", { name: "Delete Upgrade" }).click();
  await dialog.getByRole("button", { name: "Delete window" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Somebody changes it.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Delete Upgrade" }).click();
  await expect(dialog.getByRole("alert")).toBeHidden();
  await toasts(page, "Upgrade was deleted.", () => dialog.getByRole("button", { name: "Delete window" }).click());
});

test("API keys are sorted, their columns chosen, and several revoked after a confirmation", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  for (const n of [10, 2, 1]) await api.post("/api-keys", { name: `ci-${n}` });
  await open(page, "/api-keys");
  const table = page.getByRole("table", { name: "Active keys" });
  const header = (name: string) => table.getByRole("columnheader", { name, exact: true });
  const names = table.locator("tbody").getByRole("link", { name: /^ci-/ });
  await expect(names).toHaveText(["ci-1", "ci-2", "ci-10"]);

  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "API keys" [level=1]
      - button "Create key"
      - table "Active keys":
        - rowgroup:
          - row:
            - columnheader "Select all keys shown":
              - checkbox "Select all keys shown"
            - columnheader "Name":
              - link "Name"
        - rowgroup:
          - row:
            - cell "Select ci-1":
              - checkbox "Select ci-1"
            - cell "ci-1":
              - link "ci-1"
  `);

  await test.step("by name, and by creation, which is the usual order", async () => {
    await header("Name").getByRole("link").click();
    await expect(header("Name")).toHaveAttribute("aria-sort", "ascending");
    await header("Name").getByRole("link").click();
    await expect(names).toHaveText(["ci-10", "ci-2", "ci-1"]);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Created" }).click();
    await page.keyboard.press("Escape");
    await header("Created").getByRole("link").click();
    await expect(header("Created")).toHaveAttribute("aria-sort", "descending");
    await expect(page).toHaveURL("/api-keys");
    await header("Created").getByRole("link").click();
    await expect(names).toHaveText(["ci-10", "ci-2", "ci-1"]);
  });

  await test.step("two are revoked", async () => {
    await table.getByRole("checkbox", { name: "Select ci-10" }).check();
    await table.getByRole("checkbox", { name: "Select ci-2" }).check();
    await bar(page).getByRole("button", { name: "Revoke…" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke 2 keys?" });
    await expect(dialog).toContainText("Not used yet.");
    await toasts(page, "2 keys revoked.", () => dialog.getByRole("button", { name: "Revoke 2 keys" }).click());
    await expect(names).toHaveText(["ci-1"]);
    const former = page.getByRole("table", { name: "Revoked and expired keys" });
    await expect(former.getByRole("link", { name: /^ci-/ })).toHaveText(["ci-10", "ci-2"]);
  });
});

/** A certificate with its endpoint, a monitor and a key. */
async function fillTables(api: Api): Promise<void> {
  const { pem } = await makeCertificate({
    name: "shop.internal",
    sans: ["shop.internal"],
    fromDays: -80,
    untilDays: 10,
  });
  const body = { host: "shop.internal", reported: true, tags: ["web"] };
  const { data } = await api.post<{ id: string }>("/certificates/endpoints", body);
  expect((await api.post(`/certificates/endpoints/${data.id}/report`, { pem })).status).toBe(200);
  const monitor = { name: "shop", type: "tcp", target: "127.0.0.1:9", interval_seconds: 3600, paused: true };
  await api.post<Monitor>("/uptime", monitor);
  await api.post("/api-keys", { name: "ci-deploy", permission: "read" });
}

test("on tablets, no table is wider than the screen, and names keep their room", { tag: "@long" }, async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  await fillTables(api);
  for (const [path, column] of [
    ["/certificates", "Endpoint"],
    ["/certificates/renewals", "Certificate"],
    ["/uptime", "Monitor"],
    ["/audit-logs", "Path"],
    ["/audit-logs?facets=1", "Path"],
    ["/audit-logs?group=user_id,ip", "User"],
    ["/api-keys", "Name"],
    ["/certificates/inventory", "Certificate"],
    ["/members", "Name"],
  ] as const) {
    for (const width of [768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 1024 });
      await open(page, path);
      const at = `${path} at ${width} px`;
      const head = page.getByRole("columnheader", { name: column, exact: true });
      await expect(head).toBeVisible();
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), at).toBeLessThanOrEqual(width);
      expect.soft((await head.boundingBox())?.width, at).toBeGreaterThan(90);
    }
  }
});

test("the menu of columns says which ones need a wider window", { tag: "@long" }, async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  await fillTables(api);
  const menu = page.getByRole("button", { name: "Columns" });
  const off = page.getByRole("menuitemcheckbox", { checked: false });
  for (const path of ["/certificates", "/certificates/inventory", "/uptime", "/api-keys"]) {
    await open(page, path);
    await menu.click();
    while ((await off.count()) > 0) await off.first().click();
    for (const width of [768, 1024, 1280, 1440, 1600]) {
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width, height: 1024 });
      await menu.click();
      await expect(page.getByRole("menuitemcheckbox").first()).toBeVisible();
      const wrong = await page.evaluate(() => {
        const heads = [...document.querySelectorAll("th")].filter((head) => head.checkVisibility());
        return [...document.querySelectorAll("[role=menuitemcheckbox]")].flatMap((item) => {
          const [label, hint] = [item.firstElementChild?.firstChild?.textContent, item.querySelector("span > span")];
          const isShown = heads.some((head) => head.textContent?.startsWith(label ?? "?"));
          return isShown === (hint?.checkVisibility() ?? false) ? [`${label}: ${isShown ? "shown" : "hidden"}`] : [];
        });
      });
      expect.soft(wrong, `${path} at ${width} px`).toEqual([]);
    }
  }
});

test("on a phone, rows are selected as well, and no row is wider than the screen", { tag: "@long" }, async ({
  page,
  sealwatch,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { api } = await enterAs(page, sealwatch);
  for (const name of ["shop", "blog"]) {
    const body = { name, type: "tcp", target: "127.0.0.1:9", interval_seconds: 3600, paused: true };
    await api.post<Monitor>("/uptime", body);
  }
  await open(page, "/uptime");
  await page.getByRole("checkbox", { name: "Select blog" }).check();
  await expect(count(page)).toHaveText("1 of 2 monitors selected");
  await expect(bar(page).getByRole("button", { name: "Resume" })).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // Room for `Nightly backup`, beside the state, 30 days and the uptime.
  const name = page.getByRole("columnheader", { name: "Monitor", exact: true });
  expect((await name.boundingBox())?.width).toBeGreaterThan(108);
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await expect(bar(page)).toBeHidden();
});

import { expect, type Page } from "playwright/test";
import { enterAs, open, settled, toasts } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import type { SignedIn } from "@/e2e/support/session";
import { hintOf } from "@/lib/auth/secret-form";
import { newId } from "@/lib/ids";

const rows = (page: Page) => page.getByRole("table", { name: "Audit log" }).getByRole("row");
/** The rows of events; the first row is the header. */
const entries = (page: Page) => rows(page).filter({ has: page.locator("a[data-row]") });
const filters = (page: Page) => page.getByRole("list", { name: "Active filters" });

/** Two keys with one request each, the second one's refused. */
async function makeRequests({ api, ...session }: SignedIn, url: string) {
  const key = async (name: string) => {
    const { data } = await api.post<{ id: string; secret: string }>("/api-keys", { name });
    return { id: data.id, api: withKey({ url }, data.secret) };
  };
  const [reader, writer] = [await key("reader"), await key("writer")];
  expect((await reader.api.get("/certificates")).status).toBe(200);
  expect((await writer.api.post("/certificates/endpoints", { host: "example.test" })).status).toBe(403);
  return { ...session, reader, writer };
}

test("the URL has the state of the audit log's page", async ({ page, sealwatch, browser }) => {
  const session = await enterAs(page, sealwatch);
  const { writer } = await makeRequests(session, sealwatch.url);
  await open(page, "/audit-logs");
  await expect(entries(page)).toHaveCount(5);

  const box = page.getByRole("combobox", { name: "Filter" });
  const askedFor = () => Object.fromEntries(new URL(page.url()).searchParams);
  await test.step("keys are completed by name, statuses from a list", async () => {
    await box.fill("wri");
    await page.getByRole("option", { name: "key writer" }).click();
    await expect(filters(page)).toContainText("key writer");
    await expect(entries(page)).toHaveCount(1);
    await box.fill("status");
    await page.keyboard.press("Enter");
    await expect(box).toHaveValue("status:");
    await page.keyboard.type("4x");
    await expect(page.getByRole("option", { name: "status 4xx" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(filters(page)).toContainText("status 4xx");
    // A navigation that is overtaken by the next one has no place in the history.
    await expect.poll(askedFor).toEqual({ api_key_id: writer.id, status: "4xx" });
  });
  await test.step("text is the last suggestion; a time is understood", async () => {
    await box.fill("last hour");
    await expect(page.getByRole("option", { name: "time Last hour" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(page.getByRole("option", { name: "text “last hour”" })).toHaveAttribute("aria-selected", "true");
  });
  await box.fill("method:POST endpoints");
  await box.press("Enter");
  await expect(filters(page)).toContainText("endpoints");
  await expect(entries(page)).toHaveCount(1);
  await expect.poll(askedFor).toEqual({ api_key_id: writer.id, status: "4xx", method: "POST", q: "endpoints" });

  await test.step("a link shows the same in another person's browser", async () => {
    const other = await browser.newContext({ baseURL: sealwatch.url });
    await other.addCookies(await page.context().cookies());
    const copy = await other.newPage();
    await copy.goto(page.url());
    await expect(entries(copy)).toHaveCount(1);
    await expect(entries(copy).first()).toContainText("/certificates/endpoints");
    for (const token of ["key writer", "status 4xx", "method POST", "text endpoints"]) {
      await expect(filters(copy)).toContainText(token);
    }
    await other.close();
  });

  await test.step("Back removes the filter that was added last", async () => {
    await page.goBack();
    await expect(filters(page)).not.toContainText("endpoints");
    await expect.poll(askedFor).toEqual({ api_key_id: writer.id, status: "4xx" });
  });

  await test.step("is becomes is not; filters are removed one by one and all at once", async () => {
    await filters(page).getByRole("button", { name: "status 4xx" }).click();
    await page.getByRole("menuitem", { name: "is not" }).click();
    await expect(filters(page)).toContainText("status is not 4xx");
    await expect(page.getByRole("heading", { name: "No entries found" })).toBeVisible();
    await page.getByRole("link", { name: "Remove the filter status" }).click();
    await expect(filters(page)).not.toContainText("4xx");
    await box.press("Backspace");
    await expect(filters(page)).toBeHidden();
    await expect(entries(page)).toHaveCount(5);
  });

  await test.step("a value in the list, or in an entry, is filtered by or excluded where it stands", async () => {
    await entries(page).getByRole("button", { name: "writer" }).first().click();
    await page.getByRole("menuitem", { name: "Filter by this value" }).click();
    await expect(entries(page)).toHaveCount(1);
    // As over plain http.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await entries(page).getByRole("button", { name: "writer" }).click();
    await toasts(page, "Value copied.", () => page.getByRole("menuitem", { name: "Copy value" }).click());
    await expect.poll(askedFor).toEqual({ api_key_id: writer.id });
    await entries(page).locator("a[data-row]").click();
    await page
      .getByRole("region", { name: "Entry" })
      .getByRole("button", { name: "METHOD_NOT_ALLOWED", exact: true })
      .click();
    await page.getByRole("menuitem", { name: "Exclude" }).click();
    await expect(filters(page)).toContainText("error is not METHOD_NOT_ALLOWED");
    await expect(page.getByRole("heading", { name: "No entries found" })).toBeVisible();
    await page.getByRole("link", { name: "Remove the filter key" }).click();
    await expect(entries(page)).toHaveCount(4);
  });

  await test.step("what was only read in the dashboard is hidden, and one click shows it", async () => {
    const hidden = page.getByRole("link", { name: "Hiding 1 read by people in the dashboard" });
    await expect(page.getByText("4 entries", { exact: true })).toBeVisible();
    await hidden.click();
    await expect(entries(page)).toHaveCount(5);
    await expect(entries(page).first()).toContainText("GET");
    await expect(page.getByText("5 entries", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Showing reads by people in the dashboard" }).click();
    await expect(entries(page)).toHaveCount(4);
    await expect(hidden).toBeVisible();
  });

  await test.step("a filter that is typed before the list of the last one is there adds to it", async () => {
    await open(page, "/audit-logs");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/audit-logs\?.*_rsc=/, async (route) => {
      await held;
      await route.continue();
    });
    for (const text of ["writer", "4xx"]) {
      await box.fill(text);
      await expect(page.getByRole("option", { name: text }).first()).toHaveAttribute("aria-selected", "true");
      await page.keyboard.press("Enter");
    }
    await expect(filters(page)).toContainText("key writer");
    await expect(filters(page)).toContainText("status 4xx");
    release();
    await expect(entries(page)).toHaveCount(1);
    await expect.poll(askedFor).toEqual({ api_key_id: writer.id, status: "4xx" });
  });
});

test("a pasted request id opens its entry, and is a filter of its own", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string; secret: string }>("/api-keys", { name: "ci-deploy" });
  const { requestId } = await api.get("/nowhere");
  await open(page, "/audit-logs?method=DELETE");
  const box = page.getByRole("combobox", { name: "Filter" });
  await box.fill(`x-request-id: ${requestId}`);
  await page.keyboard.press("Enter");
  const entry = page.getByRole("region", { name: "Entry" });
  await expect(entry).toContainText("/api/v1/nowhere");
  await expect(page).toHaveURL(new RegExp(`method=DELETE&.*entry=${requestId}`));
  await page.keyboard.press("Escape");
  await expect(entry).toBeHidden();

  await page.getByRole("link", { name: "Remove the filter method" }).click();
  await expect(filters(page)).toBeHidden();
  await box.fill(requestId ?? "");
  await page.getByRole("option", { name: `request ${requestId}`, exact: true }).click();
  await expect(filters(page)).toContainText("request");
  await expect(entries(page)).toHaveCount(1);
  await expect(entries(page).first()).toContainText("/nowhere");

  await test.step("a pasted secret is a filter by its key, and is not shown", async () => {
    await box.fill(key.secret);
    await expect(box).toHaveValue(/^sw_..….{4}$/);
    await expect(page.getByRole("option", { name: "Current secret of ci-deploy" })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(filters(page)).toContainText("key ci-deploy");
    expect(page.url()).not.toContain(key.secret.slice(0, 12));
  });

  await test.step("the hint of a secret that was rotated out finds its key, and one that never was says so", async () => {
    expect((await api.post(`/api-keys/${key.id}/rotate`, {})).status).toBe(200);
    await open(page, "/audit-logs");
    await box.fill(hintOf(key.secret));
    await expect(page.getByRole("option", { name: "key ci-deploy" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(filters(page)).toContainText("key ci-deploy");
    await box.fill("sw_00…0000");
    await expect(
      page.getByRole("option", { name: "No key of the organization has had a secret with this hint." }),
    ).toBeVisible();
  });
});

test("an empty list says so, and how to see more", { tag: "@long" }, async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  await open(page, "/audit-logs?status=5xx&method=DELETE");
  await expect(page.getByRole("heading", { name: "No entries found" })).toBeVisible();
  await expect(page.getByText("No entry in this range matches the filters.")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(entries(page)).toHaveCount(1);

  await open(page, "/security-events?flag=rate_limited");
  await expect(page.getByRole("heading", { name: "No security events found" })).toBeVisible();
});

test("an invalid URL shows what is invalid", async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  await open(page, "/audit-logs?status=teapot&colour=green&since=yesterday");
  const notice = page.getByRole("alert").filter({ hasText: "This view cannot be shown" });
  for (const name of ["status", "colour", "since"]) {
    await expect(notice.getByRole("listitem").filter({ hasText: name })).toHaveCount(1);
  }
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await notice.getByRole("link", { name: "Reset the view" }).click();
  await expect(entries(page)).toHaveCount(1);
  await expect(notice).toBeHidden();

  await open(page, "/audit-logs?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z");
  await expect(notice).toContainText("must be after since");
});

test("a missing page or event says that it does not exist", async ({ page, sealwatch }) => {
  const stranger = await enterAs(page, sealwatch);
  const entry = await stranger.api.get("/api-keys");
  await enterAs(page, sealwatch);
  const nowhere = [
    `/audit-logs/${newId()}`,
    // Another organization's event, and an invalid id.
    `/audit-logs/${entry.requestId}`,
    "/audit-logs/nonsense",
    `/certificates/${newId()}`,
    "/nowhere",
    "/nowhere/else?q=1",
  ];
  for (const path of nowhere) {
    const answer = await page.goto(path);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    if (!path.startsWith("/certificates/")) expect(answer?.status()).toBe(404);
  }
  // A person who is not signed in is not asked to sign in for an address that does not exist.
  const visit = await fetch(`${sealwatch.url}/nowhere`, { redirect: "manual" });
  expect(visit.status).toBe(404);
  expect(await visit.text()).not.toContain('aria-label="Main"');
  await settled(page);
  await page.getByRole("main").getByRole("link", { name: "Go to the overview" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

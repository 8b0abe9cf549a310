import { expect, type Page } from "playwright/test";
import { enterAs, open, settled } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import type { SignedIn } from "@/e2e/support/session";
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
  await test.step("keys are completed by name, statuses from a list", async () => {
    await box.fill("wri");
    await page.getByRole("option", { name: "key writer" }).click();
    await expect(filters(page)).toContainText("key writer");
    await expect(entries(page)).toHaveCount(1);
    await box.fill("status:4x");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("option", { name: "status 4xx" })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(filters(page)).toContainText("status 4xx");
  });
  await box.fill("method:POST endpoints");
  await box.press("Enter");
  await expect(filters(page)).toContainText("endpoints");
  await expect(entries(page)).toHaveCount(1);
  const askedFor = () => Object.fromEntries(new URL(page.url()).searchParams);
  expect(askedFor()).toEqual({ api_key_id: writer.id, status: "4xx", method: "POST", q: "endpoints" });

  await test.step("a link shows the same to somebody else's browser", async () => {
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

  await test.step("back takes off what was put on last", async () => {
    await page.goBack();
    await expect(filters(page)).not.toContainText("endpoints");
    expect(askedFor()).toEqual({ api_key_id: writer.id, status: "4xx" });
  });

  await test.step("is becomes is not; filters come off one by one and all together", async () => {
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
    expect(askedFor()).toEqual({ api_key_id: writer.id });
    await entries(page).locator("a[data-row]").click();
    await page
      .getByRole("region", { name: "Entry" })
      .getByRole("button", { name: "METHOD_NOT_ALLOWED", exact: true })
      .click();
    await page.getByRole("menuitem", { name: "Exclude" }).click();
    await expect(filters(page)).toContainText("error is not METHOD_NOT_ALLOWED");
    await expect(page.getByRole("heading", { name: "No entries found" })).toBeVisible();
    await page.getByRole("link", { name: "Remove the filter key" }).click();
    // Four of the five, and the events of reading the event and its context.
    await expect(entries(page)).toHaveCount(6);
  });
});

test("an empty list says so, and how to see more", async ({ page, sealwatch }) => {
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
  const told = page.getByRole("alert").filter({ hasText: "This view cannot be shown" });
  for (const name of ["status", "colour", "since"]) {
    await expect(told.getByRole("listitem").filter({ hasText: name })).toHaveCount(1);
  }
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await told.getByRole("link", { name: "Reset the view" }).click();
  await expect(entries(page)).toHaveCount(1);
  await expect(told).toBeHidden();

  await open(page, "/audit-logs?since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z");
  await expect(told).toContainText("must be after since");
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
  ];
  for (const path of nowhere) {
    const answer = await page.goto(path);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    if (path.startsWith("/audit-logs/")) expect(answer?.status()).toBe(404);
  }
  await settled(page);
  await page.getByRole("main").getByRole("link", { name: "Go to the overview" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
});

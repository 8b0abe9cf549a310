import { expect, type Page } from "playwright/test";
import { fill, fillUptime } from "@/e2e/journeys/full-organization";
import { enterAs, open } from "@/e2e/journeys/steps";
import { expectWithinReach } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";

const animations = (page: Page) => page.evaluate(() => document.getAnimations().length);
const styleOf = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

// Zoom makes the window smaller in CSS pixels. WCAG 1.4.10 asks for 320, which is 400 % of 1280.
for (const [zoom, width, height] of [
  ["200 %", 720, 450],
  ["400 %", 320, 256],
] as const) {
  test(`at ${zoom} zoom no page scrolls sideways, and every control is within reach`, async ({ page, sealwatch }) => {
    await page.setViewportSize({ width, height });
    const session = await enterAs(page, sealwatch);
    const full = await fill(session);
    const { monitorId } = await fillUptime(session, full);
    for (const path of [
      "/",
      `/audit-logs?entry=${full.entryId}`,
      "/audit-logs?group=api_key_id",
      "/audit-logs?facets=1",
      "/security-events",
      `/certificates/endpoints/${full.endpointId}`,
      "/uptime",
      `/uptime/${monitorId}`,
      `/api-keys/${full.keyId}`,
      "/alerts",
      "/alert-rules/new",
      "/integrity",
      "/integrity/holds/new",
      "/destinations",
      "/destinations/new",
      "/status-pages",
    ]) {
      await open(page, path);
      await expectWithinReach(page, `${path} at ${zoom} zoom`);
    }
    await full.server.close();
  });
}

test("without motion nothing is animated", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  // Its first request is waited for with a dot that pulses.
  await api.post("/api-keys", { name: "first" });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await open(page, "/");
  await expect(page.locator(".animate-pulse").first()).toBeVisible();
  expect(await animations(page)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await animations(page)).toBe(0);
  await open(page, "/api-keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await animations(page)).toBe(0);
});

test("with forced colors, what is current, floats or has the focus has a line, and states keep their colour", async ({
  page,
  sealwatch,
}) => {
  const session = await enterAs(page, sealwatch);
  const full = await fill(session);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await open(page, "/certificates");
  expect(await styleOf(page, "nav[aria-label=Main] [aria-current=page]", "outline-style")).toBe("solid");
  expect(await styleOf(page, "#content table span:empty", "forced-color-adjust")).toBe("none");
  await page.keyboard.press("Tab");
  await expect.poll(() => styleOf(page, ":focus-visible", "outline-style")).not.toBe("none");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await styleOf(page, "dialog:modal", "outline-style")).toBe("solid");
  await full.server.close();
});

test("a screen reader announces landmarks, figures in words, and rows with the names of their columns", async ({
  page,
  sealwatch,
}) => {
  const full = await fill(await enterAs(page, sealwatch));
  await open(page, "/audit-logs?status=403");
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "Skip to content"
    - complementary "Sidebar":
      - navigation "Main":
        - list
        - heading "Monitoring" [level=2]
        - list
        - heading "Security" [level=2]
        - list
        - heading "Settings" [level=2]
        - list
    - main:
      - heading "Audit log" [level=1]
      - button "Refresh"
      - button "Export"
      - link "Alert me on this"
      - button "Columns"
      - 'button "Range: Last 24 hours"'
      - search:
        - list "Active filters":
          - listitem:
            - button "status 403"
            - link "Remove the filter status"
        - combobox "Filter"
      - figure /^1 entry in this range, 1 of them refused or failed, 1 security event/
      - table "Audit log":
        - rowgroup:
          - row:
            - columnheader "Method"
            - columnheader "Path"
            - columnheader "Status"
            - columnheader "Flags"
            - columnheader "Caller"
        - rowgroup:
          - row /POST \\/certificates\\/endpoints 403 Method not allowed metrics 127\\.0\\.0\\.1/
      - status: This is the oldest entry in the range.
    - region "Notices"
  `);
  await open(page, "/certificates");
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - heading "Certificates" [level=1]
    - navigation "Certificates"
    - search:
      - searchbox "Search endpoints"
      - combobox "Finding"
    - table "Endpoints":
      - rowgroup:
        - row:
          - columnheader "Select all endpoints shown":
            - checkbox "Select all endpoints shown"
          - columnheader "Endpoint"
          - columnheader "State"
      - rowgroup:
        - row /Untrusted root \\+2 9 days .* Nobody/:
          - cell /Select 127\\.0\\.0\\.1/:
            - checkbox /Select 127\\.0\\.0\\.1/
          - cell:
            - link /127\\.0\\.0\\.1/
            - link "Site page of 127.0.0.1"
        - row /Unreachable/
  `);
  await full.server.close();
});

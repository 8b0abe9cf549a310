import { expect } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";

test("the overview says what is wrong and what has changed, each with a link", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  await api.post("/certificates/endpoints", { host: "127.0.0.1", port: await closedPort() });
  const target = `127.0.0.1:${await closedPort()}`;
  await api.post("/uptime", { name: "Shop", type: "tcp", target, failure_threshold: 1 });
  await open(page, "/");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("1 monitor down, 1 endpoint unreachable");
  await expect(summary).toContainText("In the last 7 days: ");
  await expect(summary).toContainText("1 endpoint added, 1 monitor added, 1 member joined");
  await expect(page.getByRole("table", { name: "Monitors" })).toContainText("Shop");
  await test.step("screen readers find the parts of the page and of the navigation", async () => {
    await expect(page.getByRole("main")).toMatchAriaSnapshot(`
      - main:
        - heading "Overview" [level=1]
        - region "Summary"
        - heading "Open alerts" [level=2]
        - link "All alerts"
        - heading "Certificates" [level=2]
        - heading "Uptime" [level=2]
        - table "Monitors":
          - rowgroup:
            - row:
              - columnheader "Monitor"
        - heading "API keys" [level=2]
    `);
    await expect(page.getByRole("complementary", { name: "Sidebar" })).toMatchAriaSnapshot(`
      - link "Sealwatch"
      - button "Search or run…"
      - navigation "Main":
        - heading "Monitoring" [level=2]
        - list:
          - listitem:
            - link "Certificates"
        - heading "Security" [level=2]
        - heading "Settings" [level=2]
    `);
  });
  await summary.getByRole("link", { name: "1 monitor down" }).click();
  await expect(page).toHaveURL(/\/uptime\?status=down$/);
});

test("the overview answers for an organization that has only monitors", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const target = `127.0.0.1:${await closedPort()}`;
  await api.post("/uptime", { name: "Shop", type: "tcp", target, failure_threshold: 1 });
  await open(page, "/");
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("1 monitor added");
  await expect(page.getByText(/no channel is set up/i)).toBeVisible();
  await expect(page.getByRole("table", { name: "Monitors" })).toContainText("Shop");
  await expect(page.getByRole("heading", { name: "Monitor your first certificate" })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Certificates" })).toHaveCount(0);
});

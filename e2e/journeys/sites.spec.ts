import { expect } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { shiftedOf, watchShifts } from "@/e2e/support/layout-shift";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";

test("the page of a host has everything about it on one axis, and the palette opens it", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const port = await closedPort();
  await api.post("/certificates/endpoints", { host: "127.0.0.1", port });
  await api.post("/uptime", { name: "Shop", type: "tcp", target: `127.0.0.1:${port}`, failure_threshold: 1 });
  await open(page, "/uptime");
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("combobox").fill("127.0.0.1");
  await palette.getByRole("group", { name: "Sites" }).getByRole("option").click();
  await expect(page).toHaveURL("/sites/127.0.0.1");
  await expect(page.getByRole("heading", { level: 1, name: "127.0.0.1" })).toBeVisible();
  await expect(page.getByText("1 certificate endpoint, 1 monitor")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Uptime of Shop" })).toBeVisible();
  await expect(page.getByRole("heading", { name: `Certificate at 127.0.0.1:${port}` })).toBeVisible();
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - main:
      - heading "127.0.0.1" [level=1]
      - heading "Last 90 days" [level=2]
      - heading "Certificate at 127.0.0.1:${port}" [level=2]
      - heading "Uptime of Shop" [level=2]
      - heading "Addresses" [level=2]
  `);
  await page.getByLabel("Changes: 2 events in 90 days").click();
  await expect(page.getByRole("list", { name: "Changes" }).getByRole("link").first()).toContainText("Created");
  await inspect(page, "the page of a host");
  await test.step("nothing moves while its parts arrive, on a phone neither", async () => {
    await page.addInitScript(watchShifts);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await open(page, "/sites/127.0.0.1");
      await expect(page.getByRole("heading", { name: "Addresses" })).toBeVisible();
      expect(await shiftedOf(page), `at ${width} px`).toBeLessThan(0.01);
    }
  });
  await page.getByLabel("Incidents: 1 event in 90 days").click();
  await page.getByRole("list", { name: "Incidents" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/uptime\/incidents\//);
  await test.step("a status page can begin with the host, under a label that does not name it", async () => {
    await open(page, "/sites/127.0.0.1");
    await page.getByRole("button", { name: "Create status page" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Acme status");
    await page.getByRole("dialog").getByRole("button", { name: "Create status page" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Acme status" })).toBeVisible();
    await expect(page.getByLabel("Label")).toHaveValue("Acme status");
    await expect(page.getByLabel("Monitor").locator("option:checked")).toHaveText("Shop");
    await expect(page.getByLabel("Certificate").locator("option:checked")).toHaveText(`127.0.0.1:${port}`);
  });
});

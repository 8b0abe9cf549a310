import { expect } from "playwright/test";
import { alive, enterAs, open, toasts } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { fillWithMonitors } from "@/e2e/support/large-organization";
import type { Monitor } from "@/lib/uptime/contract";

const COUNT = 231;

for (const [look, width] of [
  ["wide", 1440],
  ["narrow", 390],
] as const) {
  test.describe(look, () => {
    const isNarrow = look === "narrow";
    test.use({ viewport: { width, height: 850 }, isMobile: isNarrow, hasTouch: isNarrow });

    test("the list of monitors grows as people scroll, and monitors at its end are paused", async ({
      page,
      sealwatch,
    }) => {
      const { api, organizationId } = await enterAs(page, sealwatch);
      await fillWithMonitors(sealwatch, organizationId, COUNT);
      const long = "A long name that needs three lines on a phone, and is cut off after the second one of them";
      const [first] = (await api.get<Monitor[]>("/uptime?sort=name&limit=1")).data;
      expect((await api.put(`/uptime/${first?.id}`, { name: `0 ${long}` })).status).toBe(200);
      await open(page, "/uptime?sort=name");
      const table = page.getByRole("table", { name: "Monitors" });
      const links = table.locator("a[data-row]");
      await alive(links.first());
      await expect(links.first()).toHaveText(`0 ${long}`);
      const heights = () =>
        table
          .locator("tr:has(a[data-row])")
          .evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]);
      await expect.poll(heights).toHaveLength(1);
      const last = table.locator(`tr[aria-rowindex="${COUNT + 1}"]`);
      await expect(async () => {
        await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
        await expect(last).toBeInViewport({ timeout: 500 });
      }).toPass();
      await expect(table).toHaveAttribute("aria-rowcount", String(COUNT + 1));
      expect(await links.count()).toBeLessThan(100);
      await expect.poll(heights).toHaveLength(1);
      await expect(last.getByRole("img", { name: /^Last 30 days/ })).toBeVisible();
      await inspect(page, "the end of a long list of monitors");

      await last.getByRole("checkbox").check();
      await expect(page.getByRole("status").filter({ hasText: "selected" })).toHaveText(
        `1 of ${COUNT} monitors selected`,
      );
      await toasts(page, "1 monitor paused.", () => page.getByRole("button", { name: "Pause", exact: true }).click());
      await expect(last).toContainText("Paused");
      const [paused] = (await api.get<Monitor[]>("/uptime?sort=name&order=desc&limit=1")).data;
      expect(paused?.status).toBe("paused");

      if (isNarrow) return;
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.getByRole("link", { name: "State" }).click();
      await expect(page).toHaveURL(/\/uptime$/);
      await expect(table.locator('tr[aria-rowindex="2"]')).toContainText("Down");
    });
  });
}

test("further monitors are read only with a session, and only those of the page's organization", async ({
  page,
  sealwatch,
}) => {
  const { organizationId } = await enterAs(page, sealwatch);
  await fillWithMonitors(sealwatch, organizationId, 3);
  const read = async () => (await page.request.get("/uptime/more?limit=200")).json();
  expect((await read()).items).toHaveLength(3);
  const own = await enterAs(page, sealwatch);
  expect(await read()).toEqual({ items: [], next: null });
  const { data: second } = await own.api.post<{ id: string }>("/organizations", { name: "Second" });
  await fillWithMonitors(sealwatch, second.id, 2);
  const readAs = (id: string) => page.request.get("/uptime/more", { headers: { "sealwatch-organization": id } });
  expect((await (await readAs(second.id)).json()).items).toHaveLength(2);
  expect((await (await readAs(own.organizationId)).json()).items).toEqual([]);
  expect((await readAs(organizationId)).status()).toBe(403);
  expect((await page.request.get("/uptime/more?sort=teapot")).status()).toBe(400);
  await page.context().clearCookies();
  expect((await page.request.get("/uptime/more")).status()).toBe(401);
});

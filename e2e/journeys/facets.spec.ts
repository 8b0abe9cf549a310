import { expect, type Page } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { newAddress, withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";

const entries = (page: Page) => page.getByRole("table", { name: "Audit log" }).locator("a[data-row]");
const filtersOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test("facets narrow and exclude, and groups lead to their entries", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const ids: string[] = [];
  const agent = "Runner/1.0 (KHTML, like Gecko)";
  for (const [name, times] of [
    ["ci-deploy", 3],
    ["terraform", 2],
  ] as const) {
    const { data } = await api.post<{ id: string; secret: string }>("/api-keys", { name });
    const key = withKey(sealwatch, data.secret).with({ "x-forwarded-for": newAddress(), "user-agent": agent });
    for (let at = 0; at < times; at++) expect((await key.get("/certificates")).status).toBe(200);
    ids.push(data.id);
  }
  const [deploy, terraform] = ids;

  await open(page, "/audit-logs?auth_type=api_key");
  await expect(entries(page)).toHaveCount(5);
  await page.getByRole("button", { name: "Facets", exact: true }).click();
  const facets = page.getByRole("complementary", { name: "Facets" });
  await expect(facets.getByRole("region", { name: "Key" }).getByRole("listitem")).toHaveText([
    /ci-deploy3/,
    /terraform2/,
  ]);

  await test.step("the list keeps its paths beside the facets, and the page does not scroll sideways", async () => {
    for (const width of [1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const path = page.getByRole("columnheader", { name: "Path", exact: true });
      await expect.poll(async () => (await path.boundingBox())?.width ?? 0).toBeGreaterThan(200);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await entries(page).first().click();
    await expect(page.getByRole("region", { name: "Entry" })).toBeVisible();
    await expect(facets).toBeHidden();
    await expect(page.getByRole("columnheader", { name: "Path", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(facets).toBeVisible();
  });

  await test.step("a value is excluded, then the only one", async () => {
    await facets.getByRole("link", { name: "Exclude ci-deploy" }).click();
    await expect(entries(page)).toHaveCount(2);
    expect(filtersOf(page)).toMatchObject({ facets: "1", api_key_id: `!${deploy}` });
    await facets.getByRole("link", { name: "Only terraform" }).click();
    await expect(facets.getByRole("link", { name: "Remove terraform from the filter" })).toBeVisible();
    expect(filtersOf(page)).toMatchObject({ api_key_id: terraform });
    await facets.getByRole("link", { name: "Remove terraform from the filter" }).click();
    await expect(entries(page)).toHaveCount(5);
  });

  await test.step("a user agent with a comma is one value", async () => {
    await facets.getByRole("link", { name: `Exclude ${agent}` }).click();
    await expect(page.getByText("No entries found")).toBeVisible();
    await page.getByRole("link", { name: "Remove the filter user agent" }).click();
    await expect(entries(page)).toHaveCount(5);
    await facets.getByRole("button", { name: "Close the facets" }).click();
    await expect(facets).toBeHidden();
  });

  await test.step("the sheet of a narrow screen keeps the focus, and gives it back", async () => {
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 700, height: 700 });
    const opener = page.getByRole("button", { name: "Facets", exact: true });
    await opener.click();
    await expect(facets).toBeFocused();
    await expect(facets.getByRole("link", { name: "Only ci-deploy" })).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(facets.getByRole("button", { name: "Close the facets" })).toBeFocused();
    await page.keyboard.press("Shift+Tab");
    await expect(facets.locator(":focus")).toHaveCount(1);
    await expect(facets.getByRole("button", { name: "Close the facets" })).not.toBeFocused();
    await page.keyboard.press("Tab");
    await expect(facets.getByRole("button", { name: "Close the facets" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(facets).toBeHidden();
    await expect(opener).toBeFocused();
    await page.setViewportSize(size);
  });

  await test.step("groups have a row per pair, which leads to its entries", async () => {
    await page.getByRole("button", { name: "Group by", exact: true }).click();
    await page.getByRole("menuitemradio", { name: "Key", exact: true }).click();
    await expect(page).toHaveURL(/group=api_key_id/);
    await page.getByRole("button", { name: "Group by: key" }).click();
    await page.getByRole("group", { name: "Then by" }).getByRole("menuitemradio", { name: "Status" }).click();
    const groups = page.getByRole("table", { name: "Entries by key and status" });
    await expect(groups.locator("tbody").getByRole("row")).toHaveText([/ci-deploy200360\.0%/, /terraform200240\.0%/]);
    await page.reload();
    await groups.getByRole("link", { name: "terraform" }).click();
    await expect(entries(page)).toHaveCount(2);
    expect(filtersOf(page)).toEqual({ auth_type: "api_key", api_key_id: terraform, status: "200" });
  });
});

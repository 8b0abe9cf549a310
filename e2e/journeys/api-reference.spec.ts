import { expect } from "playwright/test";
import { enterAs, open, settled } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("an endpoint is found by search, and its command has the address of this installation", async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  await open(page, "/api-reference");
  await expect(page.getByRole("region", { name: "Errors" })).toContainText("PRECONDITION_FAILED");
  await page.getByLabel("Search endpoints").fill("post api-keys rotate");
  await page.getByLabel("Search endpoints").press("Enter");
  await expect(page).toHaveURL(/q=post\+api-keys\+rotate/);
  await settled(page);
  const found = page.getByRole("main").getByRole("link", { name: /\/api\/v1\// });
  await expect(found).toHaveCount(1);
  await found.click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("/api/v1/api-keys/{id}/rotate");
  await settled(page);
  await page.getByRole("button", { name: "Copy the command" }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toMatch(
    new RegExp(
      `^curl -X POST "${sealwatch.url}/api/v1/api-keys/[0-9a-f-]{36}/rotate" \\\\\\n {2}-H "Authorization: Bearer \\$SECRET"$`,
    ),
  );
  await expect(page.getByRole("list", { name: "Response" })).toContainText("rotation_due_at");

  await test.step("names of fields are code, not text between backticks", async () => {
    await open(page, "/api-reference/api_key_list");
    const list = page.getByRole("list", { name: "Parameters" });
    await expect(list.getByRole("code").filter({ hasText: /^next_cursor$/ })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText("`");
  });

  await page.getByRole("link", { name: "API reference" }).first().click();
  await page.getByLabel("Search endpoints").fill("no such thing");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("No endpoint matches “no such thing”.")).toBeVisible();
});

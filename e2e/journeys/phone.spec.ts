import { expect } from "playwright/test";
import { enterAs, open, toasts } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

test("from a phone, a key is found, rotated and revoked", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string; secret: string }>("/api-keys", { name: "ci-deploy" });
  const tries = async (secret: string) => (await withKey(sealwatch, secret).get("/certificates")).status;
  expect(await tries(key.secret)).toBe(200);
  const dialog = page.getByRole("dialog");
  let next = "";

  await test.step("the navigation is a drawer, which the way to a page closes", async () => {
    await open(page, "/");
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).tap();
    const drawer = page.getByRole("dialog", { name: "Menu" });
    await drawer.getByRole("link", { name: "API keys" }).tap();
    await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
    await expect(drawer).toBeHidden();
  });

  await test.step("rotated from the list; the new secret fits the screen", async () => {
    await page.getByRole("button", { name: "Actions for ci-deploy" }).tap();
    await page.getByRole("menuitem", { name: "Rotate secret…" }).tap();
    await expect(dialog).toContainText("It was last used");
    await dialog.getByRole("button", { name: "Rotate secret" }).tap();
    await expect(dialog).toContainText("This is the only time the secret is shown.");
    next = (await dialog.locator("pre").first().textContent()) ?? "";
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await expect(dialog.getByRole("button", { name: "Copy the secret" })).toBeInViewport({ ratio: 1 });
    await dialog.getByRole("button", { name: "I have stored the secret" }).tap();
    await expect(dialog).toBeHidden();
    expect([await tries(key.secret), await tries(next)]).toEqual([401, 200]);
  });

  await test.step("revoked from its own page, found by its name", async () => {
    await page.getByRole("button", { name: "Search or run a command" }).tap();
    await dialog.getByRole("combobox").fill("deploy");
    await dialog.getByRole("option", { name: "ci-deploy" }).tap();
    await expect(page.getByRole("heading", { level: 1, name: "ci-deploy" })).toBeVisible();
    await page.getByRole("button", { name: "Revoke…" }).tap();
    const revoke = dialog.getByRole("button", { name: "Revoke key" });
    await expect(revoke).toBeInViewport({ ratio: 1 });
    await toasts(page, "ci-deploy was revoked.", () => revoke.tap());
    await expect(page.getByText("None: every request with this key is refused.")).toBeVisible();
    expect(await tries(next)).toBe(401);
  });
});

import { expect } from "playwright/test";
import { enterAs, open, signIn } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { newPerson } from "@/e2e/support/person";

test("an operator finds the state of the installation in the palette", async ({ page, sealwatch }) => {
  await signIn(page, await newPerson(sealwatch, "operator@sealwatch.local"));
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").getByRole("combobox").fill("outbox");
  await page.getByRole("option", { name: "Operator" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Operator" })).toBeVisible();
  const processes = page.getByRole("table", { name: "Processes" });
  await expect(processes.getByRole("row", { name: /^web / }).first()).toBeVisible();
  await expect(page.getByRole("table", { name: "Waiting" }).getByRole("row", { name: /^Outbox / })).toBeVisible();
  // The worker says what its jobs did every few seconds.
  await expect(async () => {
    await open(page, "/operator");
    await expect(page.getByRole("row", { name: /^alerts\.evaluate-state / })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await inspect(page, "the operator's page");
  await page.setViewportSize({ width: 390, height: 844 });
  await inspect(page, "the operator's page on a phone");
});

test("nobody else sees the page or its entry in the palette", async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  const answer = await page.goto("/operator");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("Organizations by events")).toHaveCount(0);
  await open(page, "/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").getByRole("combobox").fill("operator");
  await expect(page.getByRole("option", { name: "Operator", exact: true })).toHaveCount(0);
});

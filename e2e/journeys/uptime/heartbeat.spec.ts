import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";

test("a heartbeat shows its URL once, is up when a job calls it, and gets another URL", async ({
  page,
  request,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  await open(page, "/uptime");
  const add = page.getByRole("button", { name: "Add monitor" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Nightly backup");
  await dialog.getByLabel("Type").selectOption("Heartbeat");
  await dialog.getByLabel("Called every (seconds)").fill("86400");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  await expect(dialog.getByText("This is the only time the URL is shown.")).toBeVisible();
  const shown = await dialog.getByText(/^http\S+\/heartbeat\/\S+$/).textContent();
  const url = shown?.trim() ?? "";
  expect((await request.post(url)).status()).toBe(200);
  await inspect(page, "the URL of a heartbeat");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "I have stored the URL" }).click();

  await page.getByRole("link", { name: "Nightly backup" }).click();
  await expect(page.getByText("called from 127.0.0.1")).toBeVisible();
  await expect(page.getByText("Called every")).toBeVisible();
  await inspect(page, "the page of a heartbeat");

  const replace = page.getByRole("button", { name: "Replace URL…" });
  await alive(replace);
  await replace.click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace URL" }).click();
  await expect(page.getByRole("dialog").getByText(/^http\S+\/heartbeat\/\S+$/)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").getByRole("button", { name: "I have stored the URL" }).click();
  expect((await request.get(url)).status()).toBe(404);
});

import { expect } from "playwright/test";
import { alive, enterAs, open, settled, toasts } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { closedPort } from "@/e2e/support/stand-ins/test-servers";

test("a status page is created, published, seen without a session, and unpublished", async ({
  page,
  sealwatch,
  browser,
}) => {
  const { api, organizationId } = await enterAs(page, sealwatch);
  const target = `127.0.0.1:${await closedPort()}`;
  await api.post("/uptime", { name: "shop-frontend-7", type: "tcp", target, failure_threshold: 1 });
  await open(page, "/status-pages");
  await page.getByRole("button", { name: "Create status page" }).click();
  await page.getByRole("dialog").getByLabel("Title").fill("Acme status");
  await page.getByRole("dialog").getByRole("button", { name: "Create status page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Acme status" })).toBeVisible();
  await settled(page);
  await page.goBack();
  // The list from before must not come back.
  await page.getByRole("main").getByRole("link", { name: "Acme status" }).click();
  await alive(page.getByRole("button", { name: "Add site" }));
  await page.getByRole("button", { name: "Add site" }).click();
  await page.getByLabel("Label").fill("Online shop");
  await page.getByLabel("Monitor").selectOption("shop-frontend-7");
  await inspect(page, "a status page being edited");
  const save = page.getByRole("button", { name: "Save changes" });
  await toasts(page, "The status page was saved.", () => save.click());
  // What somebody else has changed since stays, and what was saved counts as loaded.
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await api.put(`/organizations/${organizationId}/status-pages/${id}`, { title: "Harbour status" });
  await page.getByLabel("Label").fill("Web shop");
  await save.click();
  await expect(page.getByLabel("Title")).toHaveValue("Harbour status");
  await expect(page.getByRole("heading", { level: 1, name: "Harbour status" })).toBeVisible();
  await page.getByLabel("Title").fill("Acme status");
  await page.getByLabel("Label").fill("Online shop");
  await save.click();
  await expect(page.getByRole("heading", { level: 1, name: "Acme status" })).toBeVisible();
  const path = `/status/${await page.getByLabel("Slug").inputValue()}`;

  // Somebody without a session.
  const visitor = await browser.newPage({ baseURL: sealwatch.url });
  expect((await visitor.goto(path))?.status()).toBe(404);
  await toasts(page, "Acme status is public now.", () => page.getByRole("button", { name: "Publish" }).click());
  await visitor.goto(path);
  await expect(visitor.getByText("1 of 1 site is down.")).toBeVisible();
  await expect(visitor.getByRole("listitem").first()).toContainText("Online shop has been down since");
  expect(await visitor.content()).not.toContain("shop-frontend-7");
  expect(await visitor.context().cookies()).toEqual([]);
  await open(page, new URL(page.url()).pathname);
  await expect(page.getByRole("img", { name: "Badge of Online shop" })).toHaveJSProperty("complete", true);
  await page.setViewportSize({ width: 390, height: 844 });
  await inspect(page, "a published status page, narrow");
  await inspect(visitor, "the public page");
  await visitor.setViewportSize({ width: 390, height: 844 });
  await inspect(visitor, "the public page, narrow");

  await page.getByRole("button", { name: "Unpublish…" }).click();
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Unpublish" });
  await toasts(page, "Acme status is no longer public.", () => confirm.click());
  // Without the browser's cache, which may keep the page for 30 seconds.
  expect((await visitor.request.get(path)).status()).toBe(404);
  await visitor.close();
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";

test("a response is expected in text, JSON and headers; what is not as expected is named and mended in the form", async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  const site = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"ok","queue":12,"version":"4.2"}');
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));

  await open(page, "/uptime");
  const add = page.getByRole("button", { name: "Add monitor" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add a monitor" });
  await dialog.getByLabel("Name", { exact: true }).fill("Queue");
  await dialog.getByLabel("URL").fill(`http://127.0.0.1:${(site.address() as AddressInfo).port}/health`);
  await dialog.getByText("Expected response").click();
  await dialog.getByLabel("Expected text").fill('"version"');
  await dialog.getByLabel("Forbidden text").fill("maintenance");
  await dialog.getByLabel("Expected pattern").fill("version.*(4");
  await dialog.getByLabel("Expected JSON").fill('$.status = "ok"\n$.queue <= 10');
  await dialog.getByLabel("Expected headers").fill("Content-Type: application/json");
  await dialog.getByLabel("Slowest response (ms)").fill("30000");
  await inspect(page, "the form of an HTTP monitor with expectations");
  const save = dialog.getByRole("button", { name: "Add monitor" });
  await save.click();
  await expect(dialog.getByLabel("Expected pattern")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Expected pattern").fill("version.*4");
  await save.click();

  // The queue is too long, which the page of the monitor says with the value that was seen.
  await page.getByRole("row").filter({ hasText: "Queue" }).getByRole("link", { name: "Queue" }).click();
  await expect(page.getByText(/Unexpected JSON \(.*\$\.queue.*12/).first()).toBeVisible();
  await expect(page.getByText('$.status = "ok"')).toBeVisible();
  await expect(page.getByText("Content-Type: application/json")).toBeVisible();
  await expect(page.getByText("30000 ms")).toBeVisible();

  const edit = page.getByRole("button", { name: "Edit…" });
  await alive(edit);
  await edit.click();
  const editing = page.getByRole("dialog", { name: "Edit Queue" });
  await editing.getByText("Expected response").click();
  await expect(editing.getByLabel("Expected pattern")).toHaveValue("version.*4");
  await editing.getByLabel("Expected JSON").fill("$.queue <= 20");
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(editing).toHaveCount(0);
  await page.getByRole("button", { name: "Check now" }).click();
  await expect(page.getByText("$.queue <= 20")).toBeVisible();
  await expect(page.getByText("Up", { exact: true }).first()).toBeVisible();
  site.close().closeAllConnections();
});

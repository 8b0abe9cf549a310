import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";

test("a site with a certificate of a private authority is up with its trust store; one that is not verified says so", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const authority = await makeAuthority("Cellar");
  await api.post("/certificates/trust-stores", { name: "Cellar", pem: authority.root.pem });
  const { pem, keyPem } = await authority.leaf({ sans: ["127.0.0.1"] });
  const site = createServer({ key: keyPem, cert: pem + authority.intermediate.pem }, (_, response) => response.end());
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));

  await open(page, "/uptime");
  const add = page.getByRole("button", { name: "Add monitor" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add a monitor" });
  await dialog.getByLabel("Name").fill("Intranet");
  await dialog.getByLabel("URL").fill(`https://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await dialog.getByText("More settings").click();
  await dialog.getByLabel("Accepted certificates").selectOption("Also from Cellar");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  const row = page.getByRole("row").filter({ hasText: "Intranet" });
  await expect(row).toContainText("Up");
  await expect(row).not.toContainText("Not verified");
  await row.getByRole("link", { name: "Intranet" }).click();
  await expect(page.getByText("Public, and from Cellar")).toBeVisible();

  const edit = page.getByRole("button", { name: "Edit…" });
  await alive(edit);
  await edit.click();
  const editing = page.getByRole("dialog");
  await editing.getByText("More settings").click();
  await editing.getByLabel("Accepted certificates").selectOption("Any: do not verify");
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Certificate not verified")).toBeVisible();
  await inspect(page, "a monitor that does not verify");
  site.close().closeAllConnections();
});

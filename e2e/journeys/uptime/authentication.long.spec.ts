import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";

test("a monitor signs in with a password, keeps it when it is renamed, and says what is wrong with a certificate", async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  const expected = `Basic ${Buffer.from("probe:s3cret").toString("base64")}`;
  const site = createServer((request, response) => {
    response.writeHead(request.headers.authorization === expected ? 200 : 401).end();
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const target = `127.0.0.1:${(site.address() as AddressInfo).port}/`;

  await open(page, "/uptime");
  const add = page.getByRole("button", { name: "Add monitor" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add a monitor" });
  await dialog.getByLabel("Name").fill("Intranet");
  await dialog.getByLabel("URL").fill(`http://${target}`);
  await dialog.getByText("More settings").click();
  await dialog.getByLabel("Authentication").selectOption("Client certificate");
  await dialog.getByLabel("Client certificate (PEM)").fill("nothing");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  await expect(dialog.getByText("Must be a certificate in PEM.")).toBeVisible();
  await dialog.getByLabel("Authentication").selectOption("Basic: username and password");
  await dialog.getByLabel("Username").fill("probe");
  await dialog.getByLabel("Password").fill("s3cret");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  const row = page.getByRole("row").filter({ hasText: "Intranet" });
  await expect(row).toContainText("Up");
  await row.getByRole("link", { name: "Intranet" }).click();
  await expect(page.getByText("Basic, as probe")).toBeVisible();

  const edit = page.getByRole("button", { name: "Edit…" });
  await alive(edit);
  await edit.click();
  const editing = page.getByRole("dialog");
  await editing.getByText("More settings").click();
  await expect(editing.getByLabel("Username")).toHaveValue("probe");
  await expect(editing.getByLabel("Password")).toHaveValue("");
  await inspect(page, "the authentication of a monitor");
  await editing.getByLabel("Name", { exact: true }).fill("Extranet");
  await editing.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Extranet" })).toBeVisible();
  await expect(page.getByText("Basic, as probe")).toBeVisible();
  site.close().closeAllConnections();
});

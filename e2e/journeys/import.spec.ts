import { expect } from "playwright/test";
import { alive, enterAs, open, sees } from "@/e2e/journeys/steps";
import { send } from "@/e2e/support/http";
import { test } from "@/e2e/support/journey";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";

test("endpoints are imported after a dry run, with a result for each line", async ({ page, sealwatch }) => {
  const authority = await makeAuthority("Cellar");
  const server = await serveTls([await authority.leaf({ sans: ["127.0.0.1"] }), authority.intermediate]);
  const { api } = await enterAs(page, sealwatch);
  await api.post("/certificates/trust-stores", { name: "Cellar", pem: authority.root.pem });
  await open(page, "/certificates");
  await page.getByRole("link", { name: "Import" }).click();
  const text = page.getByRole("textbox", { name: "Endpoints" });
  await alive(text);
  const lines = page.getByRole("table", { name: "Import lines" }).getByRole("row");

  await test.step("a file fills the field, and its format is detected", async () => {
    const buffer = Buffer.from(`host,port,tags\n127.0.0.1,${server.port},eu web\nnot a host,443,\n127.0.0.1,70000,\n`);
    await page.getByLabel("Endpoint file").setInputFiles({ name: "endpoints.csv", mimeType: "text/csv", buffer });
    await expect(text).toHaveValue(/^host,port,tags/);
    await expect(page.getByLabel("Format")).toHaveValue("csv");
  });

  await test.step("the preview shows what each line would do, and changes nothing", async () => {
    await page.getByLabel("Trust store").selectOption({ label: "Cellar" });
    await page.getByRole("button", { name: "Preview import" }).click();
    await expect(page.getByText("2 invalid · 1 would be added")).toBeVisible();
    await expect(lines.nth(1)).toContainText(/3not a host.*invalid.*host: must be a host name/);
    await expect(lines.nth(2)).toContainText(/4127\.0\.0\.1:70000.*port: must be a whole number from 1 to 65535/);
    await expect(lines.nth(3)).toContainText(/2127\.0\.0\.1.*would be added/);
    expect((await api.get<unknown[]>("/certificates/endpoints")).data).toEqual([]);
  });

  await test.step("the import adds the valid lines, and the worker checks the endpoint", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/v1/certificates/endpoints/bulk/import", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Import 1 endpoint" }).click();
    // A change would clear the results.
    await expect(text).toBeDisabled();
    release();
    await expect(page.getByText("2 skipped · 1 added")).toBeVisible();
    await page.getByRole("link", { name: "View endpoints" }).click();
    const row = page.getByRole("table", { name: "Endpoints" }).getByRole("row").nth(1);
    await expect(row).toContainText(`127.0.0.1:${server.port}`);
    await sees(page, "/certificates", (timeout) => expect(row).toContainText("88 days", { timeout }));
    const tag = page.getByRole("combobox", { name: "Tag" });
    await tag.selectOption("web");
    await expect(page).toHaveURL("/certificates?tag=web");
    await expect(row).toContainText("OK");
    await open(page, "/certificates?tag=gone");
    await expect(tag).toHaveValue("gone");
  });

  await test.step("a second import changes nothing", async () => {
    await open(page, "/certificates/import");
    await text.fill(`127.0.0.1:${server.port}`);
    await page.getByRole("button", { name: "Preview import" }).click();
    await expect(page.getByText("1 unchanged")).toBeVisible();
    await expect(page.getByRole("button", { name: "Import 0 endpoints" })).toHaveAccessibleDescription(
      "There is nothing to import.",
    );
  });
  await server.close();
});

test("a calendar has an address that is shown once and can be revoked", async ({ page, sealwatch }) => {
  const authority = await makeAuthority("Cellar");
  const server = await serveTls([await authority.leaf({ sans: ["127.0.0.1"] }), authority.intermediate]);
  const { api } = await enterAs(page, sealwatch);
  await api.post("/certificates/endpoints", { host: "127.0.0.1", port: server.port, tags: ["eu"] });
  await open(page, "/certificates/calendars");
  const make = page.getByRole("button", { name: "Create calendar" });
  await alive(make);
  await make.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Team");
  await dialog.getByLabel("Certificates").selectOption("eu");
  await dialog.getByRole("button", { name: "Create calendar" }).click();
  await expect(dialog).toContainText("This is the only time the address is shown.");
  const { pathname, search } = new URL((await dialog.locator("pre").textContent()) ?? "");
  const read = () => send(sealwatch.url, { method: "GET", target: pathname + search });
  expect((await read()).text).toContain("SUMMARY:");
  await dialog.getByRole("button", { name: "I have stored the address" }).click();
  const row = page.getByRole("table", { name: "Calendars" }).getByRole("row").nth(1);
  await expect(row).toContainText(/Team.*eu/);
  await row.getByRole("button", { name: "Revoke Team" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke address" }).click();
  await expect(page.getByRole("heading", { name: "No calendars yet" })).toBeVisible();
  expect((await read()).status).toBe(404);
  await server.close();
});

test("a trust store is created, selected for a new endpoint by default, and cannot be deleted while it is used", async ({
  page,
  sealwatch,
}) => {
  const authority = await makeAuthority("Cellar");
  const server = await serveTls([await authority.leaf(), authority.intermediate]);
  await enterAs(page, sealwatch);
  await open(page, "/certificates/trust-stores");
  const add = page.getByRole("button", { name: "Add trust store" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ours");
  await dialog.getByLabel("Certificates", { exact: true }).fill("no PEM");
  await dialog.getByRole("button", { name: "Add trust store" }).click();
  await expect(dialog.getByLabel("Certificates", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Certificates", { exact: true }).fill(authority.root.pem);
  await dialog.getByLabel("Default for new endpoints").check();
  await dialog.getByRole("button", { name: "Add trust store" }).click();
  await expect(page.getByRole("table", { name: "Trust stores" })).toContainText("Cellar Root");
  await expect(page.getByRole("table", { name: "Trust stores" }).getByText("default", { exact: true })).toBeVisible();

  await open(page, "/certificates");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await dialog.getByLabel("Host").fill(`127.0.0.1:${server.port}`);
  await dialog.getByLabel("SNI").fill("good.test");
  await dialog.getByText("More settings: protocol, addresses, tags, trust store, agent").click();
  await expect(dialog.getByLabel("Trust store").locator("option:checked")).toHaveText("Default: Ours");
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("dialog", { name: "Endpoint added" })).toContainText("OK");

  await open(page, "/certificates/trust-stores");
  const actions = page.getByRole("button", { name: "Actions for Ours" });
  await alive(actions);
  await actions.click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: "Delete…" })).toBeDisabled();
  await expect(menu).toContainText("1 endpoint uses it. Choose another trust store for them first.");
  await server.close();
});

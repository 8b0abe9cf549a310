import { expect } from "playwright/test";
import { enterAs, open, toasts } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";

test("owners are named for several endpoints, and the page of renewals shows what each must renew", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  for (const [host, fromDays] of [
    ["shop.internal", -80],
    ["docs.internal", -40],
    ["new.internal", -1],
  ] as const) {
    const { pem } = await makeCertificate({ name: host, sans: [host], fromDays, untilDays: fromDays + 90 });
    const { data } = await api.post<{ id: string }>("/certificates/endpoints", { host, reported: true });
    await api.post(`/certificates/endpoints/${data.id}/report`, { pem });
  }

  const table = page.getByRole("table", { name: "Endpoints" });
  /** Selects endpoints and opens the dialog of their owner. */
  const openOwner = async (...hosts: string[]) => {
    for (const host of hosts) await table.getByRole("checkbox", { name: `Select ${host}` }).check();
    await page
      .getByRole("region", { name: /^Actions for/ })
      .getByRole("button", { name: "Owner…" })
      .click();
    return page.getByRole("dialog", { name: /^Owner of/ });
  };
  await test.step("several endpoints get an owner together, and keep it when they get a method", async () => {
    await open(page, "/certificates");
    const dialog = await openOwner("shop.internal", "new.internal");
    const save = () => dialog.getByRole("button", { name: "Save" }).click();
    await save();
    await expect(dialog).toContainText("Enter an owner, or choose a method.");
    await dialog.getByLabel("Owner").fill("Shop team");
    await toasts(page, "2 endpoints now owned by Shop team.", save);
    await openOwner("shop.internal", "new.internal");
    await dialog.getByLabel("Method").selectOption({ label: "ACME client" });
    await toasts(page, "2 endpoints now with the method “ACME client”.", save);
    await page.getByRole("combobox", { name: "Owner" }).selectOption("Shop team");
    await expect(page).toHaveURL("/certificates?owner=Shop+team");
    await expect(table.getByRole("row")).toHaveCount(3);
    await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute(
      "href",
      "/api/v1/certificates/endpoints/export?owner=Shop+team&format=csv",
    );
  });

  await test.step("an owner is removed", async () => {
    await open(page, "/certificates");
    const dialog = await openOwner("docs.internal");
    await dialog.getByLabel("Owner").fill("Docs team");
    await toasts(page, "1 endpoint now owned by Docs team.", () =>
      dialog.getByRole("button", { name: "Save" }).click(),
    );
    await openOwner("docs.internal");
    await toasts(page, "1 endpoint now without an owner.", () =>
      dialog.getByRole("button", { name: "Remove owner" }).click(),
    );
  });

  const rows = page.getByRole("table", { name: "Renewals" }).getByRole("row");
  await test.step("what must be renewed is listed, and narrowed to an owner", async () => {
    await page.getByRole("navigation", { name: "Certificates" }).getByRole("link", { name: "Renewals" }).click();
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(1)).toContainText(/shop\.internal.*Shop team.*ACME client/);
    await expect(rows.nth(2)).toContainText(/docs\.internal.*nobody/);
    // Room for `intranet.northwind.example`: names that are cut off look alike.
    await page.setViewportSize({ width: 1280, height: 800 });
    expect((await rows.nth(0).getByRole("columnheader").first().boundingBox())?.width).toBeGreaterThan(220);
    await page.getByRole("list", { name: "Owners" }).getByRole("link", { name: "1 Shop team · 1 due" }).click();
    await expect(page).toHaveURL("/certificates/renewals?owner=Shop+team");
    await expect(rows).toHaveCount(2);
    await page.getByRole("link", { name: "90 days" }).click();
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(2)).toContainText("new.internal");
  });

  await test.step("one endpoint's renewal is described", async () => {
    await rows.nth(2).getByRole("link", { name: "new.internal" }).last().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("new.internal");
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit new.internal" });
    await dialog.getByText("Renewal: owner, method, note, link").click();
    await dialog.getByLabel("Link").fill("wiki");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Must begin with https:// or http://.");
    await dialog.getByLabel("Link").fill("https://wiki.example/new");
    await dialog.getByLabel("Note").fill("Ask Ada.");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Ask Ada.", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "ACME client" })).toHaveAttribute("href", "https://wiki.example/new");
  });
});

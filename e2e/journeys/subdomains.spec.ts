import { expect, type Page } from "playwright/test";
import { arrangeNames, publishProof } from "@/e2e/journeys/discovered";
import { alive, enterAs, open, sees, toasts } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { newDomainName } from "@/e2e/support/stand-ins/small-internet";
import type { Domain } from "@/lib/subdomains/domain-contract";

const row = (page: Page, name: string) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });

test("a domain is verified, its names are found and reviewed, and an unexpected certificate is highlighted", async ({
  page,
  sealwatch,
}) => {
  const name = newDomainName();
  await arrangeNames(sealwatch, name);
  const { api } = await enterAs(page, sealwatch);
  await open(page, "/subdomains");
  await expect(page.getByRole("heading", { name: "No domains yet" })).toBeVisible();

  await test.step("a name that cannot be registered is refused with a message", async () => {
    await page.getByRole("button", { name: "Add domain" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a domain" });
    await dialog.getByLabel("Domain", { exact: true }).fill(`www.${name}`);
    await dialog.getByRole("button", { name: "Add domain" }).click();
    await expect(dialog.getByRole("alert")).toContainText(`Must be a registrable domain: use ${name}`);
    await dialog.getByLabel("Domain", { exact: true }).fill(name);
    await dialog.getByLabel("Expected issuers").fill("Let's Encrypt");
    await dialog.getByRole("button", { name: "Add domain" }).click();
  });

  await test.step("its page says which record to make, and what is wrong with it", async () => {
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByText(`_sealwatch-challenge.${name}`)).toBeVisible();
    await page.getByRole("button", { name: "Verify domain" }).click();
    await expect(page.getByText(/no TXT record was found: the name does not exist\. A new record/)).toBeVisible();
    const { data } = await api.get<Domain[]>("/subdomains/domains");
    for (const domain of data) await publishProof(sealwatch, domain);
    await page.getByRole("button", { name: "Verify domain" }).click();
    await expect(page.getByRole("heading", { name: `Verify that you own ${name}` })).toBeHidden();
    await expect(page.locator("main span").getByText("Verified", { exact: true }).first()).toBeVisible();
  });

  await test.step("each source shows its state", async () => {
    const sources = page.getByRole("table", { name: "Sources" });
    await sees(page, new URL(page.url()).pathname, async (timeout) => {
      await expect(sources.getByRole("row").nth(1)).toContainText("Working", { timeout });
      await expect(sources.getByRole("row").nth(2)).toContainText("HTTP status 502: Bad Gateway", { timeout });
      await expect(page.getByRole("link", { name: "6 names" })).toBeVisible({ timeout });
    });
    await page.getByRole("link", { name: "6 names" }).click();
  });

  await test.step("names are reviewed, many at once", async () => {
    await expect(page.getByRole("table", { name: "Names" }).getByRole("row")).toHaveCount(7);
    await expect(row(page, `*.apps.${name}`)).toContainText("wildcard");
    await expect(row(page, `old-shop.${name}`)).toContainText("expired only");
    await alive(page.getByLabel(`Select www.${name}`));
    for (const chosen of [`www.${name}`, `mail.${name}`, `*.apps.${name}`])
      await page.getByLabel(`Select ${chosen}`).check();
    await expect(page.getByText("3 selected")).toBeVisible();
    const monitor = page.getByRole("button", { name: "Monitor", exact: true });
    await toasts(page, "2 names are now monitored.", () => monitor.click());
    await expect(page.getByText("A wildcard stands for many hosts")).toBeVisible();
    await expect(row(page, `www.${name}`)).toBeHidden();
    await page.getByRole("button", { name: "Ignore" }).click();
    await expect(row(page, `*.apps.${name}`)).toBeHidden();
    await page.getByRole("combobox", { name: "State" }).selectOption("Monitored");
    await expect(page.getByRole("table", { name: "Names" }).getByRole("row")).toHaveCount(3);
    await row(page, `mail.${name}`).getByRole("link", { name: "Monitored" }).click();
    await expect(page.getByRole("heading", { level: 1, name: `mail.${name}`, exact: true })).toBeVisible();
  });

  await test.step("a name that is no longer to review is found from the palette", async () => {
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Search or run a command" });
    await palette.getByRole("combobox").fill(`mail.${name}`);
    await palette.getByRole("group", { name: "Subdomains" }).getByRole("option").first().click();
    await expect(page.getByRole("combobox", { name: "State" })).toHaveValue("all");
    await expect(row(page, `mail.${name}`)).toBeVisible();
  });

  await test.step("a certificate of an issuer that is not expected stands out", async () => {
    await open(page, "/subdomains/issuances?unexpected=true");
    const table = page.getByRole("table", { name: "Issued certificates" });
    await expect(table.getByRole("row")).toHaveCount(2);
    await expect(row(page, `vpn.${name}`)).toContainText("Unheard Of");
    await expect(row(page, `vpn.${name}`)).toContainText("unexpected");
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(row(page, `vpn.${name}`)).toContainText("unexpected");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.setViewportSize(size);
  });

  await test.step("an unauthorized certificate is authorized", async () => {
    await page.getByRole("combobox", { name: "Authorization" }).selectOption("Not authorized");
    await expect(page).toHaveURL(/accounted=false/);
    await row(page, `vpn.${name}`)
      .getByRole("button", { name: `Authorize the certificate for vpn.${name}` })
      .click();
    const dialog = page.getByRole("dialog", { name: "Is this certificate yours?" });
    await toasts(page, "The certificate is yours.", () =>
      dialog.getByRole("button", { name: "Authorize certificate" }).click(),
    );
    await expect(row(page, `vpn.${name}`)).toBeHidden();
    await open(page, "/subdomains/issuances?accounted=true");
    await expect(row(page, `vpn.${name}`)).toContainText("Confirmed by a person");
  });
});

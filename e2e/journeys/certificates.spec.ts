import { readFile } from "node:fs/promises";
import { createSecureContext, type SecureContext } from "node:tls";
import { expect, type Page } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { makeAuthority, makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveFiles, serveTls, type TestServer } from "@/e2e/support/stand-ins/test-servers";

const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

/** A TLS server whose certificate can be replaced while it runs, like in a renewal. */
async function serveExchangeable(
  chain: TestCertificate[],
): Promise<TestServer & { serve: (chain: TestCertificate[]) => void }> {
  const contextOf = (made: TestCertificate[]) =>
    createSecureContext({ ...(made[0] && { key: made[0].keyPem }), cert: made.map(({ pem }) => pem).join("") });
  let current: SecureContext = contextOf(chain);
  // Otherwise the server would keep serving the rest of its first chain.
  const nobody = await makeCertificate({ name: "nobody.test" });
  const testServer = await serveTls([nobody], { SNICallback: (_name, done) => done(null, current) });
  return Object.assign(testServer, {
    serve: (next: TestCertificate[]) => {
      current = contextOf(next);
    },
  });
}

async function add(page: Page, target: { host: string; port?: number; sni?: string }): Promise<void> {
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an endpoint" });
  await dialog.getByLabel("Host").fill(target.host);
  if (target.port !== undefined) await dialog.getByLabel("Port").fill(String(target.port));
  if (target.sni !== undefined) await dialog.getByLabel("SNI").fill(target.sni);
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
}

const finding = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3, name: title, exact: true }) });

const servedChain = (page: Page) =>
  page.locator("section", { has: page.getByRole("heading", { name: "Served chain" }) }).getByRole("listitem");

test("a server with a private CA is added, changes its certificate, and is deleted", async ({ page, sealwatch }) => {
  const authority = await makeAuthority("Cellar");
  const [old, renewed] = [await authority.leaf(), await authority.leaf({ fromDays: -86, untilDays: 4 })];
  const server = await serveExchangeable([old, authority.intermediate]);
  const name = `127.0.0.1:${server.port}`;
  await enterAs(page, sealwatch);
  await open(page, "/certificates");
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();

  await test.step("adding it shows immediately what was found", async () => {
    await add(page, { host: "127.0.0.1", port: server.port, sni: "good.test" });
    const dialog = page.getByRole("dialog", { name: "Endpoint added" });
    await expect(dialog).toContainText("Untrusted root");
    await expect(dialog).toContainText("88 days");
    await dialog.getByRole("link", { name: "Open endpoint" }).click();
  });

  await test.step("the endpoint's page says it in words and shows the chain as served", async () => {
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    const untrusted = finding(page, "Untrusted root");
    await expect(untrusted).toContainText("Cellar Root, which is not among the roots that browsers trust.");
    await expect(untrusted).toContainText("Clients reject it unless they are configured to trust this root");
    await untrusted.getByText("Evidence").click();
    await expect(untrusted).toContainText("CN=Cellar Root");
    const chain = servedChain(page);
    await expect(chain).toHaveCount(2);
    await expect(chain.nth(0)).toContainText(/Leaf.*good\.test/);
    await expect(chain.nth(1)).toContainText(/Intermediate.*Cellar Intermediate/);
  });

  await test.step("a check after the exchange shows the new certificate and that it changed", async () => {
    server.serve([renewed]);
    const check = page.getByRole("button", { name: "Check now" });
    await alive(check);
    await check.click();
    await expect(finding(page, "Expires soon")).toContainText("of its 90 days are left");
    await expect(finding(page, "Incomplete chain")).toContainText("Cellar Intermediate is not served");
    await expect(finding(page, "Certificate changed")).toContainText("Expected after a renewal.");
    await expect(servedChain(page)).toHaveCount(1);
  });

  await test.step("checked again after the repair: what is fixed is gone", async () => {
    server.serve([old, authority.intermediate]);
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(finding(page, "Expires soon")).toBeHidden();
    await expect(finding(page, "Untrusted root")).toBeVisible();
  });

  await test.step("the certificate has a page of its own", async () => {
    await page.getByRole("link", { name: "good.test" }).first().click();
    await expect(page.getByRole("heading", { level: 1, name: "good.test" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText(old.certificate.serialNumber);
    await expect(page.getByRole("main").getByText("-----BEGIN CERTIFICATE-----")).toBeVisible();
    const waiting = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download chain" }).click();
    expect((await waiting).suggestedFilename()).toBe("good.test-chain.pem");
    const served = page.getByRole("table", { name: "Endpoint history" });
    await expect(served.getByRole("row").nth(1)).toContainText("current");
    await served.getByRole("link", { name }).first().click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.getByRole("table", { name: "Certificate history" }).getByRole("row").nth(1)).toContainText(
      "a new key",
    );
  });

  await test.step("deleting it says what that means, and forgets it", async () => {
    await page.getByRole("button", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${name}?` });
    await expect(dialog).toContainText("The certificates it served stay in the inventory.");
    await dialog.getByRole("button", { name: "Delete endpoint" }).click();
    await expect(page).toHaveURL("/certificates");
    await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  });
  await server.close();
});

test("a broken chain is shown, with the file that fixes it", async ({ page, sealwatch }) => {
  const files = await serveFiles();
  const authority = await makeAuthority("Cellar");
  files.files.set("/intermediate.der", authority.intermediate.der);
  const leaf = await authority.leaf({ issuerUrl: files.url("/intermediate.der") });
  const server = await serveExchangeable([leaf]);
  const { api } = await enterAs(page, sealwatch);
  const store = await api.post<{ id: string }>("/certificates/trust-stores", {
    name: "Cellar",
    pem: authority.root.pem,
  });
  const target = { host: "127.0.0.1", port: server.port, sni: "good.test", trust_store_id: store.data.id };
  const { data: endpoint } = await api.post<{ id: string }>("/certificates/endpoints", target);
  const fullChain = leaf.pem + authority.intermediate.pem;
  const bare = (pem: string | null) => (pem ?? "").replace(/\s+/g, "");

  await open(page, `/certificates/endpoints/${endpoint.id}`);
  await expect(finding(page, "Incomplete chain")).toContainText("Cellar Intermediate is not served");
  const install = page.getByRole("region", { name: "What to install" });
  await expect(install.getByRole("listitem").filter({ hasText: "missing" })).toContainText("Cellar Intermediate");

  await test.step("it can be copied and downloaded, as shown", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copy = install.getByRole("button", { name: "Copy the PEM" }).first();
    await alive(copy);
    // Again if the slow machine has missed it: the button says so for a moment only.
    await expect(async () => {
      await copy.click();
      await expect(install.getByRole("button", { name: "Copied" }).first()).toBeVisible({ timeout: 1_000 });
    }).toPass();
    expect(bare(await page.evaluate(() => navigator.clipboard.readText()))).toBe(bare(fullChain));
    const waiting = page.waitForEvent("download");
    await install.getByRole("link", { name: "Download" }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe("127.0.0.1-fullchain.pem");
    expect(bare(await readFile(await download.path(), "utf8"))).toBe(bare(fullChain));
  });

  await test.step("served, there is nothing left to install", async () => {
    server.serve([leaf, authority.intermediate]);
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(install).toBeHidden();
    await expect(finding(page, "Incomplete chain")).toBeHidden();
    await expect(servedChain(page)).toHaveCount(2);
  });
  await server.close();
  await files.close();
});

test("the inventory finds a certificate by its properties, and downloads it", async ({ page, sealwatch }) => {
  const authority = await makeAuthority("Ledger");
  const [web, mail] = [
    await authority.leaf({ name: "web.test", sans: ["web.test", "*.web.test"], purposes: [SERVER_AUTH, CLIENT_AUTH] }),
    await authority.leaf({ name: "mail.test", sans: ["mail.test"], fromDays: -80, untilDays: 5 }),
  ];
  const servers = [await serveTls([web, authority.intermediate]), await serveTls([mail, authority.intermediate])];
  const { api } = await enterAs(page, sealwatch);
  for (const [at, { port }] of servers.entries()) {
    await api.post("/certificates/endpoints", { host: "127.0.0.1", port, sni: at === 0 ? "web.test" : "mail.test" });
  }
  await open(page, "/certificates");
  await page.getByRole("link", { name: "Inventory" }).click();
  const rows = page.getByRole("table", { name: "Certificates" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("mail.test");

  await expect(page.getByRole("table", { name: "Certificates" })).toMatchAriaSnapshot(`
    - table "Certificates":
      - rowgroup:
        - row:
          - columnheader "Certificate":
            - link "Certificate"
          - columnheader "Issuer"
          - columnheader "Time left"
          - columnheader "Expires":
            - link "Expires"
      - rowgroup:
        - row:
          - cell "mail.test":
            - link "mail.test"
  `);
  await page.getByLabel("Covers the name").fill("shop.web.test");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("web.test");
  await page.getByRole("link", { name: "Remove the filter name" }).click();
  await expect(rows).toHaveCount(3);
  const expiry = page.getByRole("combobox", { name: "Expiry" });
  await expiry.focus();
  await page.getByLabel("Issuer contains").evaluate((input: HTMLInputElement) => (input.value = "half typed"));
  await expiry.selectOption("7");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("mail.test");
  await expect(expiry).toBeFocused();
  await expect(page.getByLabel("Issuer contains")).toHaveValue("half typed");

  await test.step("one click finds what is still for client authentication, and until when authorities issue it", async () => {
    await page.getByRole("link", { name: "Remove the filter expires before" }).click();
    await expect(rows).toHaveCount(3);
    await page.getByRole("link", { name: "Still for client authentication" }).click();
    await expect(rows).toHaveCount(2);
    await expect(page.getByText("Let's Encrypt: 8 Jul 2026")).toBeVisible();
    await rows.nth(1).getByRole("link", { name: "web.test" }).click();
    await expect(page.getByText("Server authentication, Client authentication")).toBeVisible();
  });

  await test.step("what the analytics count leads here", async () => {
    await open(page, "/analytics/expiry");
    await page
      .getByRole("list")
      .getByRole("link", { name: /1 certificate on 1 endpoint/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/certificates\/inventory\?expires_after=.*&unused=false/);
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText("mail.test");
  });
  for (const server of servers) await server.close();
});

test("an unreachable host is added too", { tag: "@long" }, async ({ page, sealwatch }) => {
  const authority = await makeAuthority("Attic");
  const leaf = await authority.leaf({ sans: ["127.0.0.1"] });
  const gone = await serveTls([leaf]);
  await gone.close();
  await enterAs(page, sealwatch);
  await open(page, "/certificates");

  await add(page, { host: `https://127.0.0.1:${gone.port}/login` });
  const dialog = page.getByRole("dialog", { name: "Endpoint added" });
  await expect(dialog).toContainText("It refused the connection: nothing listens on this port.");
  await dialog.getByRole("button", { name: "Add another" }).click();
  await page.keyboard.press("Escape");

  const row = page.getByRole("table", { name: "Endpoints" }).getByRole("row").nth(1);
  await expect(row).toContainText(`127.0.0.1:${gone.port}`);
  await expect(row).toContainText("Unreachable");
  await row.locator("a[data-row]").click();
  await expect(page.getByText("No certificate seen yet.")).toBeVisible();
  await expect(finding(page, "Unreachable")).toContainText("Until it responds again");
});

test("a refused endpoint stays in the form, with the reason", { tag: "@long" }, async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  await open(page, "/certificates");
  await add(page, { host: "not a host" });
  const form = page.getByRole("dialog", { name: "Add an endpoint" });
  const host = form.getByLabel("Host");
  await expect(host).toHaveAttribute("aria-invalid", "true");
  await expect(host).toHaveValue("not a host");

  await host.fill("10.1.2.3");
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await expect(host).toHaveAccessibleDescription(/network that this installation does not probe/);

  await host.fill("127.0.0.1");
  await form.getByLabel("Port").fill("70000");
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await expect(form.getByLabel("Port")).toHaveAttribute("aria-invalid", "true");
  await expect(host).not.toHaveAttribute("aria-invalid");
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
});

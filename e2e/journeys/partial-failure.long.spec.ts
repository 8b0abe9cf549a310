import { expect } from "playwright/test";
import { navigation } from "@/components/layout/navigation";
import { open, settled, signInWithKey } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { Cluster } from "@/e2e/support/servers/cluster";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";

test("while the audit database is unavailable a page shows the parts that do not need it, and the others when it is back", async ({
  browser,
}) => {
  const [monitoring, audit] = await Promise.all([Cluster.create(), Cluster.create()]);
  const server = await startSealwatch({ DATABASE_URL: monitoring.url("app"), AUDIT_DATABASE_URL: audit.url("audit") });
  const context = await browser.newContext({ baseURL: server.url });
  try {
    const page = await context.newPage();
    const { key, api } = await signInWithKey(page, server);
    const [organization] = (await api.get<{ id: string }[]>("/organizations")).data;
    const { requestId } = await api.get("/certificates");
    const log = await context.newPage();
    await open(log, "/audit-logs");
    const row = log.locator(`a[data-row="${requestId}"]`);
    await expect(row).toBeVisible();
    const integrity = await context.newPage();
    await open(integrity, "/integrity");
    const typed = integrity.getByRole("textbox", { name: "Witness keys" });
    await typed.fill("example.com/witness+00000000+AQ==");

    await audit.stop();
    // What was typed stays when the page refreshes itself in vain.
    const unsealed = integrity.getByRole("alert").filter({ hasText: "The sealed log could not be loaded" });
    await expect(unsealed).toBeVisible();
    await expect(typed).toHaveValue("example.com/witness+00000000+AQ==");
    // An id may be that of a request, which the audit database would know.
    const found = await api.get<{ results: { type: string }[] }>(
      `/organizations/${organization?.id}/search?q=${key.id}`,
    );
    expect(found.data?.results, found.text).toMatchObject([{ type: "api_key" }]);
    await page.goto("/");
    await settled(page);
    const failed = page.getByRole("alert").filter({ hasText: "could not be loaded" });
    await expect(failed).toHaveText([
      /^The security events could not be loaded/,
      /^The last 7 days could not be loaded/,
      /^The last 24 hours could not be loaded/,
    ]);
    await expect(page.getByRole("link", { name: /ci-deploy/ })).toBeVisible();
    for (const { href } of navigation.flatMap(({ entries }) => entries)) {
      await page.goto(href);
      await settled(page);
      await expect(page.locator("[aria-busy=true]:visible"), href).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("This page could not be shown");
    }
    await page.goto("/statistics");
    await expect(failed).toHaveText([/^The figures could not be loaded/]);
    await page.goto(`/api-keys/${key.id}`);
    await expect(failed).toHaveText([
      /^The usage of the key could not be loaded/,
      /^The history of changes could not be loaded/,
    ]);
    await expect(page.getByRole("button", { name: "Revoke…" })).toBeVisible();
    await page.goto("/api-keys");
    await expect(page.getByRole("link", { name: "ci-deploy" })).toBeVisible();
    await expect(failed).toHaveText([/^The request counts could not be loaded/]);
    const monitor = { name: "Shop", type: "tcp", target: "shop.example.test:443", paused: true };
    expect((await api.post("/uptime", monitor)).status).toBe(201);
    await page.goto("/sites/shop.example.test");
    await expect(failed).toHaveText([/^The changes could not be loaded/]);
    await expect(page.getByRole("heading", { name: "Uptime of Shop" })).toBeVisible();
    await row.click();
    const entry = log.getByRole("region", { name: "Entry" });
    const refused = entry.getByRole("alert");
    await expect(refused).toContainText("The full entry could not be loaded.");

    await page.goto("/");
    await settled(page);
    await expect(failed).toHaveCount(3);
    await audit.start();
    await expect(async () => {
      await failed.first().getByRole("button", { name: "Try again" }).click();
      await expect(failed).toHaveCount(0, { timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole("link", { name: /refused or failed/ })).toBeVisible();
    await refused.getByRole("button", { name: "Try again" }).click();
    await expect(refused).toHaveCount(0);
    await expect(entry.getByText("Request ID")).toBeVisible();
  } finally {
    await context.close();
    await server.destroy();
    await Promise.all([monitoring.destroy(), audit.destroy()]);
  }
});

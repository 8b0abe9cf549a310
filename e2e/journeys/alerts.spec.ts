import { createSecureContext, type SecureContext } from "node:tls";
import { expect, type Page } from "playwright/test";
import { alive, enterAs, open, sees, settled, toasts } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { newReceiver } from "@/e2e/support/stand-ins/receiver";
import { makeAuthority, makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";
import type { AlertRule } from "@/lib/alerts/rules/contract";

/** A TLS server whose chain can be replaced while it runs. */
async function serveExchangeable(first: TestCertificate[]) {
  const contextOf = (made: TestCertificate[]) =>
    createSecureContext({ ...(made[0] && { key: made[0].keyPem }), cert: made.map(({ pem }) => pem).join("") });
  let current: SecureContext = contextOf(first);
  // Otherwise the server would keep serving the rest of its first chain.
  const nobody = await makeCertificate({ name: "nobody.test" });
  const testServer = await serveTls([nobody], { SNICallback: (_name, done) => done(null, current) });
  return Object.assign(testServer, {
    serve: (next: TestCertificate[]) => {
      current = contextOf(next);
    },
  });
}

const state = (page: Page) => page.getByRole("definition").first();

test("a channel and a rule: a problem is notified, acknowledged, and resolved when it is fixed", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: rules } = await api.get<AlertRule[]>("/alert-rules");
  for (const { id } of rules) await api.put(`/alert-rules/${id}`, { enabled: false });
  const receiver = await newReceiver();
  const notified = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const authority = await makeAuthority("Cellar");
  const leaf = await authority.leaf();
  const server = await serveExchangeable([leaf, authority.intermediate]);
  const name = `127.0.0.1:${server.port}`;
  const target = { host: "127.0.0.1", port: server.port, sni: "good.test" };
  const { data: endpoint } = await api.post<{ id: string }>("/certificates/endpoints", target);
  const check = () => api.post(`/certificates/endpoints/${endpoint.id}/check`);

  await test.step("a webhook is set up: its secret is shown once, and a test message says whether it works", async () => {
    await open(page, "/alerts");
    await expect(page.getByRole("main")).toContainText("No channel is set up: nobody will be notified.");
    await open(page, "/notification-channels");
    await expect(page.getByRole("heading", { name: "No channels yet" })).toBeVisible();
    await page.getByRole("button", { name: "Add channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Type").selectOption("webhook");
    await dialog.getByLabel("Name").fill("Ops");
    await dialog.getByLabel("URL").fill("nonsense");
    await dialog.getByRole("button", { name: "Add channel" }).click();
    await expect(dialog.getByLabel("URL")).toHaveAttribute("aria-invalid", "true");
    await dialog.getByLabel("URL").fill(`${receiver.url}/hook`);
    await dialog.getByRole("button", { name: "Add channel" }).click();
    const made = page.getByRole("dialog", { name: "Ops was added" });
    await expect(made).toContainText("This is the only time the signing secret is shown.");
    await expect(made).toContainText("whsec_");
    await made.getByRole("button", { name: "Send test message" }).click();
    await expect(made.getByRole("alert")).toContainText("The test message was sent.");
    expect(notified()).toEqual(["test"]);
    await made.getByRole("button", { name: "I have stored the secret" }).click();
    const row = page.getByRole("table", { name: "Notification channels" }).getByRole("row").nth(1);
    await expect(row).toContainText("Working");
    await expect(page.getByRole("main")).not.toContainText("whsec_");
  });

  await test.step("a rule is made, and its editor says who meets it", async () => {
    await open(page, "/alert-rules");
    await page.getByRole("link", { name: "Create rule" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "New alert rule" })).toBeVisible();
    const create = page.getByRole("button", { name: "Create rule" });
    await alive(create);
    await create.click();
    await expect(page.getByLabel("Name")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Name").fill("Chains");
    await page.getByLabel("Minimum severity").selectOption("info");
    await page.getByLabel("Problems").selectOption("only");
    await page.getByLabel("Incomplete chain").check();
    await page.getByLabel("Resolve after").selectOption("0");
    await expect(page.getByRole("region", { name: "Matching now" })).toContainText("Nothing matches yet.");
    await create.click();
    await expect(page.getByRole("heading", { level: 1, name: "Chains" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("0 unresolved alerts");
    await settled(page);
    await page.getByRole("textbox", { name: "Name" }).fill("Typed and not saved");
    await page.getByRole("button", { name: "Disable rule" }).click();
    await page.getByRole("button", { name: "Enable rule" }).click();
    await expect(page.getByRole("button", { name: "Disable rule" })).toBeVisible();
    const field = page.getByRole("textbox", { name: "Name" });
    await expect(field).toHaveValue("Typed and not saved");
    for (const typed of ["Renamed", "Chains"]) {
      await field.fill(typed);
      await toasts(page, `${typed} was saved.`, () => field.press("Enter"));
      await expect(page.getByRole("heading", { level: 1, name: typed, exact: true })).toBeVisible();
      await settled(page);
      await expect(field).toBeFocused();
    }
  });

  await test.step("the endpoint has a problem: the alert is there, and was sent", async () => {
    server.serve([leaf]);
    await check();
    const row = page.getByRole("table", { name: "Unresolved alerts" }).getByRole("row").nth(1);
    const entry = page.getByRole("complementary").getByRole("link", { name: /^Alerts/ });
    await sees(page, "/alerts", async (timeout) => {
      await expect(row).toContainText(name, { timeout });
      // The sidebar is read before the list, so the alert may open in between.
      await expect(entry).toHaveText("Alerts1 open", { timeout });
    });
    await expect(row).toContainText("incomplete chain");
    await expect(page.getByRole("table", { name: "Unresolved alerts" })).toMatchAriaSnapshot(`
      - table "Unresolved alerts":
        - rowgroup:
          - row:
            - columnheader "Select all alerts shown":
              - checkbox "Select all alerts shown"
            - columnheader "Severity":
              - link "Severity"
            - columnheader "Subject":
              - link "Subject"
            - columnheader "Rule"
            - columnheader "State"
            - columnheader "Opened":
              - link "Opened"
        - rowgroup:
          - row:
            - cell:
              - checkbox /Select 127\\.0\\.0\\.1.*incomplete chain/
    `);
    await expect.poll(notified).toEqual(["test", "alert.firing"]);
    await row.getByRole("link").click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    const timeline = page.getByRole("list", { name: "Timeline" });
    const newest = timeline.getByRole("listitem").nth(0);
    await sees(page, new URL(page.url()).pathname, (timeout) =>
      expect(newest).toContainText("Notified Ops: alert opened.", { timeout }),
    );
    await expect(timeline.getByRole("listitem").nth(1)).toContainText("Opened as");
    await expect(page.getByRole("table", { name: "Messages" }).getByRole("row").nth(1)).toContainText("Ops");
  });
  const path = new URL(page.url()).pathname;

  await test.step("acknowledging shows at once, and stays", async () => {
    const acknowledge = page.getByRole("button", { name: "Acknowledge" });
    await alive(acknowledge);
    await acknowledge.click();
    await expect(state(page)).toContainText("Acknowledged by");
    await expect(acknowledge).toBeHidden();
    await expect(page.getByRole("complementary").getByRole("link", { name: /^Alerts/ })).toHaveText("Alerts");
    await open(page, path);
    await expect(state(page)).toContainText("Acknowledged by");
  });

  await test.step("a failed change is reverted, with a message", async () => {
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/v1/alerts/*/snooze", async (route) => {
      await held;
      const error = { code: "UNAVAILABLE", message: "The database is away.", request_id: "none" };
      await route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify({ error }) });
    });
    await page.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("menuitem", { name: "For 1 hour" }).click();
    await expect(state(page)).toContainText("Snoozed until");
    answer();
    await expect(page.getByRole("alert").filter({ hasText: "The database is away." })).toBeVisible();
    await expect(state(page)).toContainText("Acknowledged by");
    await page.unroute("**/api/v1/alerts/*/snooze");
  });

  await test.step("once fixed, it resolves itself, and sends that it is resolved", async () => {
    server.serve([leaf, authority.intermediate]);
    await check();
    await sees(page, path, (timeout) => expect(state(page)).toContainText("Resolved", { timeout }));
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText(
      "Resolved automatically: the cause is gone.",
    );
    await expect.poll(notified).toEqual(["test", "alert.firing", "alert.resolved"]);
    await expect(page.getByRole("button", { name: "Acknowledge" })).toBeHidden();
    await open(page, "/");
    await expect(page.getByRole("main")).toContainText("No alert is open.");
  });

  await test.step("a person resolves another one with a note", async () => {
    server.serve([leaf]);
    await check();
    await expect.poll(async () => (await api.get<unknown[]>("/alerts?status=open")).data.length).toBe(1);
    // The sidebar stays from page to page, and reads its number again after a while.
    const entry = page.getByRole("complementary").getByRole("link", { name: /^Alerts/ });
    await expect(entry).toHaveText("Alerts");
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 60_000;
    });
    await page.getByRole("complementary").getByRole("link", { name: "Members" }).click();
    await expect(entry).toHaveText("Alerts1 open");
    const row = page.getByRole("table", { name: "Unresolved alerts" }).getByRole("row").nth(1);
    await sees(page, "/alerts", (timeout) => expect(row).toContainText(name, { timeout }));
    await row.getByRole("link").click();
    const resolve = page.getByRole("button", { name: "Resolve…" });
    await alive(resolve);
    await resolve.click();
    const dialog = page.getByRole("dialog", { name: "Resolve this alert?" });
    await dialog.getByLabel("Note").fill("The old proxy goes away on Monday.");
    const send = dialog.getByRole("button", { name: "Resolve" });
    const error = { code: "UNAVAILABLE", message: "The database is away.", request_id: "none" };
    await page.route(
      "**/api/v1/alerts/*/resolve",
      (route) => route.fulfill({ status: 503, contentType: "application/json", body: JSON.stringify({ error }) }),
      { times: 1 },
    );
    await send.click();
    await expect(dialog.getByRole("alert")).toContainText("The database is away.");
    await expect(dialog.getByLabel("Note")).toHaveValue("The old proxy goes away on Monday.");
    await send.click();
    await expect(dialog).toBeHidden();
    await expect(state(page)).toContainText("Resolved");
    await open(page, new URL(page.url()).pathname);
    await expect(page.getByRole("list", { name: "Timeline" })).toContainText("The old proxy goes away on Monday.");
  });

  await test.step("the endpoint's page says who is notified, and a test reaches them", async () => {
    await open(page, `/certificates/endpoints/${endpoint.id}`);
    const table = page.getByRole("table", { name: "Notifications" });
    await expect(table.getByRole("row").nth(1)).toContainText("Chains");
    await expect(table.getByRole("row").nth(1)).toContainText("Ops");
    await expect(page.getByRole("main")).toContainText("Last message");
    const send = table.getByRole("button", { name: "Send test message: Chains" });
    await alive(send);
    await send.click();
    const results = page.getByRole("dialog", { name: "Test messages" }).getByRole("list", { name: "Results" });
    await expect(results).toContainText("Ops");
    await expect(results).toContainText("Sent");
    await open(page, "/certificates?expires_within_days=3650&covered=true");
    await expect(page.getByRole("table", { name: "Endpoints" }).getByRole("row").nth(1)).toContainText("Ops");
  });

  await test.step("filters of the log become a rule", async () => {
    await open(page, "/audit-logs?status=4xx&range=7d");
    await page.getByRole("link", { name: "Alert me on this" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "New alert rule" })).toBeVisible();
    const filters = page.getByRole("list", { name: "Active filters" }).getByRole("listitem");
    await expect(filters).toHaveText(["status 4xx", "via is not reads in the dashboard"]);
    const create = page.getByRole("button", { name: "Create rule" });
    await alive(create);
    await page.getByLabel("Name").fill("Refusals");
    await page.getByLabel("Entries, at least").fill("500");
    await create.click();
    await expect(page.getByRole("heading", { level: 1, name: "Refusals" })).toBeVisible();
    await expect(page.getByRole("main")).toContainText("500 matching entries within 1 hour");
  });
  receiver.close();
  await server.close();
});

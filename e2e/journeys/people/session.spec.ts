import { expect } from "playwright/test";
import { cookiesOf, enterAs, fillIn, open, sees, settled, signIn, toasts } from "@/e2e/journeys/steps";
import { Api } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import { newPerson } from "@/e2e/support/person";
import { query } from "@/e2e/support/servers/databases";
import { ORGANIZATION_COOKIE } from "@/lib/auth/session-cookie";

test("a session that ends while a form is filled in loses no input", async ({ page, person, sealwatch, context }) => {
  await signIn(page, person);
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  const ended = page.getByRole("dialog", { name: "Your session has ended" });
  const create = dialog.getByRole("button", { name: "Create key" });
  const end = () =>
    query(
      sealwatch,
      "app",
      "DELETE FROM sessions USING users WHERE users.id = sessions.user_id AND users.email = $1 RETURNING 1",
      [person.email],
    );
  const keys = async () => {
    const api = new Api(sealwatch.url, { cookie: await cookiesOf(page), origin: sealwatch.url });
    return (await api.get<{ name: string; ip_whitelist: string[] }[]>("/api-keys")).data;
  };

  await test.step("saving shows that the session has ended, over the form", async () => {
    await open(page, "/api-keys");
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("typed with care");
    await dialog.getByLabel("Allowed addresses").fill("192.0.2.0/24\n2001:db8::/32");
    // A page that opened before the end says nothing about the session after it.
    const earlier = await context.newPage();
    await open(earlier, "/members");
    await earlier.close();
    expect(await end()).toHaveLength(1);
    await create.click();
    await expect(ended).toContainText("What you typed is still here");
    // Nor does a page of no organization.
    const invitation = await context.newPage();
    await open(invitation, "/invitations/none");
    await invitation.close();
    await expect(ended).toBeVisible();
  });

  await test.step("after signing in in another tab, this tab continues by itself", async () => {
    let tab = page;
    await toasts(page, "You are signed in again.", async () => {
      const opening = context.waitForEvent("page");
      await ended.getByRole("link", { name: "Sign in in a new tab" }).click();
      tab = await opening;
      await settled(tab);
      await tab.getByRole("button", { name: "Sign in" }).click();
      const isAsked = await Promise.race([
        tab
          .getByLabel("Password")
          .waitFor()
          .then(() => true),
        tab
          .getByRole("heading", { level: 1, name: "Overview" })
          .waitFor()
          .then(() => false),
      ]);
      if (isAsked) await fillIn(tab, person);
    });
    await expect(tab.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(ended).toBeHidden();
    await tab.close();
    await expect(dialog.getByLabel("Name")).toHaveValue("typed with care");
    await create.click();
    await page.getByRole("dialog").getByRole("button", { name: "I have stored the secret" }).click();
    expect(await keys()).toMatchObject([{ name: "typed with care", ip_whitelist: ["192.0.2.0/24", "2001:db8::/32"] }]);
  });

  await test.step("after signing in as another person, nothing is sent in that person's name", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("for the first person");
    await end();
    await create.click();
    await expect(ended).toBeVisible();
    const other = await newPerson(sealwatch);
    await context.clearCookies();
    const tab = await context.newPage();
    await signIn(tab, other);
    const another = page.getByRole("dialog", { name: "You signed in as someone else" });
    await expect(another).toBeVisible();
    await tab.close();
    await another.getByRole("button", { name: "Reload page" }).click();
    await expect(page.getByRole("complementary")).toContainText(`${other.name}’s organization`);
    expect(await keys()).toEqual([]);
  });
});

test("a page changes the organization that it shows, even if another tab has switched", async ({
  page,
  person,
  sealwatch,
  context,
}) => {
  await signIn(page, person);
  const cookie = await cookiesOf(page);
  const api = new Api(sealwatch.url, { cookie, origin: sealwatch.url });
  const [own] = (await api.get<{ id: string }[]>("/organizations")).data;
  const { data: second } = await api.post<{ id: string }>("/organizations", { name: "Second" });
  const keysOf = async (id = "") => {
    const headers = { "sealwatch-organization": id };
    return (await api.get<{ name: string }[]>("/api-keys", { headers })).data.map(({ name }) => name);
  };
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await open(page, "/api-keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await dialog.getByLabel("Name").fill("of the page");

  await context.addCookies([{ name: ORGANIZATION_COOKIE, value: second.id, url: sealwatch.url }]);
  const tab = await context.newPage();
  await open(tab, "/members");
  await tab.close();
  const switched = page.getByRole("dialog", { name: "You switched the organization in another tab" });
  await switched.getByRole("button", { name: "Back to page" }).click();
  await expect(switched).toBeHidden();
  await dialog.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "I have stored the secret" }).click();
  expect([await keysOf(own?.id), await keysOf(second.id)]).toEqual([["of the page"], []]);

  // After the save the page was refreshed to the selected organization. The first one is selected again.
  const frame = page.getByRole("complementary");
  await expect(frame).toContainText("Second");
  await context.addCookies([{ name: ORGANIZATION_COOKIE, value: own?.id ?? "", url: sealwatch.url }]);
  await frame.getByRole("link", { name: "Certificates" }).click();
  await expect(frame).not.toContainText("Second");

  await context.addCookies([{ name: ORGANIZATION_COOKIE, value: second.id, url: sealwatch.url }]);
  await open(page, "/organization");
  await context.addCookies([{ name: ORGANIZATION_COOKIE, value: own?.id ?? "", url: sealwatch.url }]);
  let downloads = 0;
  page.on("download", () => {
    downloads += 1;
  });
  const link = page.getByRole("link", { name: "Export the audit log" });
  await toasts(page, "Reload this page, then download again.", () => link.click());
  await open(page, "/organization");
  await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(downloads).toBe(1);

  const stream = /\/audit-logs\/stream\?/;
  const interrupted = page.getByText("The live connection was interrupted.");
  await page.route(stream, (route) => route.abort());
  await open(page, "/audit-logs?live=1");
  await expect(interrupted).toBeVisible();
  await context.addCookies([{ name: ORGANIZATION_COOKIE, value: second.id, url: sealwatch.url }]);
  const opened = page.waitForResponse(stream);
  await page.unroute(stream);
  // The page closes what the browser opened by itself.
  await opened;
  await api.get("/members");
  await expect(interrupted).toBeVisible();
});

test("a page stays while the browser is offline, and says so", { tag: "@long" }, async ({
  page,
  sealwatch,
  context,
}) => {
  await enterAs(page, sealwatch);
  await open(page, "/api-keys");
  const notice = page.getByRole("alert").filter({ hasText: "You are offline." });
  const link = page.getByRole("complementary", { name: "Sidebar" }).getByRole("link", { name: "Members" });
  await context.setOffline(true);
  await expect(notice).toBeVisible();
  await toasts(page, "Try again when you are connected.", () => link.click());
  await page.getByRole("button", { name: "Dismiss" }).click();
  await toasts(page, "Try again when you are connected.", async () => {
    await page.keyboard.press("g");
    await page.keyboard.press("s");
  });
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toBeHidden();
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible();
});

test("a page that takes long shows placeholders until it is there", { tag: "@long" }, async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  const placeholders = page.getByText("Loading: Alerts");
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/alerts\?_rsc=/, async (route) => {
    if (!("next-router-prefetch" in route.request().headers())) await isAnswered;
    await route.continue().catch(() => {});
  });
  // Again if the link was clicked before the page had its placeholders: it then waits for the answer.
  await sees(page, "/api-keys", async (timeout) => {
    const link = page.getByRole("complementary", { name: "Sidebar" }).getByRole("link", { name: "Alerts" });
    // Pointed at, it is prefetched: first its place, then what it shows until its page is there.
    let prefetched = 0;
    page.on("response", (response) => {
      if (response.url().includes("/alerts?_rsc=") && "next-router-prefetch" in response.request().headers())
        prefetched++;
    });
    await link.hover();
    await expect.poll(() => prefetched, { timeout: 20 * timeout }).toBeGreaterThanOrEqual(2);
    await link.click();
    await expect(placeholders).toBeAttached({ timeout });
  });
  answer();
  await expect(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();
  await expect(placeholders).not.toBeAttached();
});

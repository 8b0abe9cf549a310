import { expect } from "playwright/test";
import { cookiesOf, enterAs, fillIn, open, settled, signIn } from "@/e2e/journeys/steps";
import { Api, withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";

const SECRET = /^sw_[0-9A-Za-z]{46}$/;
/** Not JSON, with characters that a page might drop or render. */
const BODY = '{"host": "<b>example.test</b>", "note": "tab\\there",\r\n  oops';

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("from the first sign-in to an audited request, a rotation and the sign-out", async ({
  page,
  person,
  sealwatch,
}) => {
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const dialog = page.getByRole("dialog");
  let secret = "";

  await test.step("signing in by the identity provider's form leads to the guidance", async () => {
    await signIn(page, person);
    await expect(page.getByText("Complete three steps to set up Sealwatch.")).toBeVisible();
    await expect(page.getByRole("complementary")).toContainText(`${person.name}’s organization`);
    await expect(page.getByText("There are no active keys.")).toBeVisible();
  });

  await test.step("the first key's secret is shown, and can be copied", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    await dialog.getByLabel("Name").fill("ci-deploy");
    await dialog.getByLabel("Permission").selectOption("admin");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog).toContainText("This is the only time the secret is shown.");
    await dialog.getByRole("button", { name: "Copy the secret" }).click();
    secret = await copied();
    expect(secret).toMatch(SECRET);
    await expect(dialog).toContainText(secret);
    // Only its own button closes it, because the secret would be lost.
    await page.keyboard.press("Escape");
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "I have stored the secret" }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step("the call that the page proposes appears on it without reloading", async () => {
    await page.getByRole("button", { name: "Copy the command" }).click();
    expect(await copied()).toContain(`curl -H "Authorization: Bearer ${secret}"`);
    let loads = 0;
    page.on("load", () => loads++);
    expect((await withKey(sealwatch, secret).get("/certificates")).status).toBe(200);
    await expect(page.getByText(/Request received:\s*200 GET \/api\/v1\/certificates/)).toBeVisible();
    expect(loads).toBe(0);
    await page.getByRole("link", { name: "Open entry" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "GET /api/v1/certificates" })).toBeVisible();
  });

  await test.step("the secret is not shown again anywhere", async () => {
    for (const path of ["/", "/api-keys", "/audit-logs"]) {
      await open(page, path);
      await expect(page.getByText(secret)).toHaveCount(0);
    }
  });

  await test.step("a live audit log shows an incoming request, and its entry shows all of it", async () => {
    await open(page, "/audit-logs");
    await page.getByRole("button", { name: "Live" }).click();
    await expect(page).toHaveURL(/live=1/);
    const answer = await withKey(sealwatch, secret).post("/certificates/endpoints", BODY);
    expect(answer.status).toBe(400);
    const row = page.getByRole("row").filter({ has: page.locator(`a[href="/audit-logs/${answer.requestId}"]`) });
    await expect(row).toContainText("/certificates/endpoints");
    await row.getByRole("link").click();
    const main = page.getByRole("region", { name: "Entry" });
    await expect(main.getByRole("heading", { name: "POST /api/v1/certificates/endpoints" })).toBeVisible();
    await expect(main).toContainText("400 INVALID_REQUEST");
    await expect(main).toContainText("ci-deploy");
    await expect(main).toContainText(answer.requestId);
    await page.getByRole("button", { name: "Copy the body as submitted" }).click();
    expect(await copied()).toBe(BODY);
  });

  await test.step("rotating says what it breaks", async () => {
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Actions for ci-deploy" }).click();
    await page.getByRole("menuitem", { name: "Rotate secret…" }).click();
    await expect(dialog).toContainText("Every client that uses the current secret gets 401 from its next request on.");
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    await dialog.getByRole("button", { name: "Copy the secret" }).click();
    const next = await copied();
    expect(next).toMatch(SECRET);
    expect(next).not.toBe(secret);
    await dialog.getByRole("button", { name: "I have stored the secret" }).click();
    expect((await withKey(sealwatch, next).get("/certificates")).status).toBe(200);
  });

  await test.step("the old secret is refused, and that is a security event", async () => {
    const refused = await withKey(sealwatch, secret).get("/certificates");
    expect(refused.status).toBe(401);
    expect(refused.error.code).toBe("API_KEY_REVOKED");
    await page.getByRole("link", { name: "Security events" }).click();
    const group = page
      .getByRole("list", { name: "Needs attention" })
      .getByRole("listitem")
      .filter({ hasText: "Rotated secret" });
    await expect(group).toHaveCount(1);
    await expect(group).toContainText("A client still uses an old secret of ci-deploy: 1 attempt");
    await group.getByRole("link", { name: "Rotated secret, ci-deploy" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
    const asked = new URL(page.url()).searchParams;
    expect(asked.get("flag")).toBe("rotated_secret");
    await expect(page.getByRole("main")).toContainText("ci-deploy");
    await open(page, `/audit-logs/${refused.requestId}`);
    await expect(page.getByRole("main")).toContainText("The request used an old secret that a rotation has replaced.");
    await expect(page.getByRole("main")).toContainText("401 API_KEY_REVOKED");
  });

  await test.step("after signing out, neither the pages nor the cookie let anyone in", async () => {
    const api = new Api(sealwatch.url, { cookie: await cookiesOf(page), origin: sealwatch.url });
    expect((await api.get("/api-keys")).status).toBe(200);
    await page.getByRole("button", { name: `${person.name} admin` }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in to Sealwatch" })).toBeVisible();
    const refused = await api.get("/api-keys");
    expect(refused.status).toBe(401);
    expect(refused.error.code).toBe("UNAUTHENTICATED");
    for (const path of ["/", "/api-keys", "/audit-logs"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Sign in to Sealwatch" })).toBeVisible();
    }
    // The identity provider's session has ended too: it asks for the password again.
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByLabel("Password")).toBeVisible();
  });
});

test("waiting for the first request leaves no entries in the log, however long it takes", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ secret: string }>("/api-keys", { name: "ci-deploy", permission: "admin" });
  // Not from a page, so that counting adds no entry of this kind itself.
  const countReads = async (): Promise<number> => {
    const url = "/api/v1/audit-logs?via=dashboard_read&limit=200";
    const answer = await page.request.get(url, { headers: { "sec-fetch-site": "none" } });
    return (await answer.json()).data.length;
  };
  await page.clock.install();
  const look = page.waitForResponse(/\/api\/v1\/audit-logs\?/);
  await open(page, "/");
  expect((await look).status()).toBe(200);
  await expect(page.getByText("Waiting for the first request with this key…")).toBeVisible();
  const before = await countReads();
  expect(before).toBeGreaterThan(0);
  await page.clock.fastForward("01:00:00");
  expect((await withKey(sealwatch, key.secret).get("/certificates")).status).toBe(200);
  await expect(page.getByText(/Request received:\s*200 GET \/api\/v1\/certificates/)).toBeVisible();
  expect(await countReads()).toBe(before);
});

test("a wrong password is refused with a message, and the right one signs in and leads to the page", async ({
  page,
  person,
}) => {
  await open(page, "/api-keys?sort=name");
  await page.getByRole("button", { name: "Sign in" }).click();
  await fillIn(page, { ...person, password: "not the password" });
  await expect(page.getByRole("alert")).toHaveText("Email or password is wrong.");
  await expect(page.getByLabel("Email")).toHaveValue(person.email);
  await fillIn(page, person);
  await expect(page.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible();
  await expect(page).toHaveURL("/api-keys?sort=name");
  await settled(page);
  await page.context().clearCookies();
  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Faudit-logs$/);
});

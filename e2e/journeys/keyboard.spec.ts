import { expect, type Page } from "playwright/test";
import { alive, enterAs, open, toasts } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";

const palette = (page: Page) => page.getByRole("dialog", { name: "Search or run a command" });
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Opens a page by its letter; retries if a slow machine separated the two keys. */
async function go(page: Page, letter: string, name: string): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await expect(heading(page, name)).toBeVisible({ timeout: 5_000 });
  }).toPass();
}

/** Types into the open palette, and waits until this is the first result. */
async function choose(page: Page, typed: string, offer: RegExp | string): Promise<void> {
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.type(typed);
  await expect(palette(page).getByRole("option", { selected: true })).toHaveText(offer);
  await page.keyboard.press("Enter");
}

test("what is typed and pasted before the palette has loaded is searched for", { tag: "@long" }, async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  await open(page, "/");
  let arrive = () => {};
  const typed = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/_next/static/chunks/**", async (route) => {
    await typed;
    await route.continue();
  });
  await page.keyboard.press("Control+k");
  // Elsewhere, `g` and `a` open a page.
  await page.keyboard.type("stagx");
  await page.keyboard.press("Backspace");
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "ing");
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(palette(page)).toBeHidden();
  arrive();
  await expect(palette(page).getByRole("combobox")).toHaveValue("staging");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await expect(page).toHaveURL("/");
});

test("pages, keys and endpoints are found from the palette, by keyboard alone", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string }>("/api-keys", { name: "ci-deploy" });
  await api.post("/certificates/endpoints", { host: "127.0.0.1", port: 1, sni: "shop.test" });
  await open(page, "/");

  await test.step("a page", async () => {
    await page.keyboard.press("Control+k");
    await choose(page, "audit", /^Audit log/);
    await expect(heading(page, "Audit log")).toBeVisible();
    await expect(palette(page)).toBeHidden();
  });

  await test.step("a key, which is then listed as recently viewed", async () => {
    await page.keyboard.press("Control+k");
    await choose(page, "deploy", /^ci-deploy/);
    await expect(heading(page, "ci-deploy")).toBeVisible();
    await expect(page).toHaveURL(`/api-keys/${key.id}`);
    await go(page, "o", "Overview");
    await page.keyboard.press("Control+k");
    const offers = palette(page).getByRole("group", { name: "Recently viewed" });
    await expect(offers.getByRole("option").first()).toHaveText(/^ci-deploy/);
    await page.keyboard.press("Escape");
    await expect(palette(page)).toBeHidden();
  });

  await test.step("a sub-page, by another word", async () => {
    await page.keyboard.press("Control+k");
    await choose(page, "expir", /^Analytics: Expiries/);
    await expect(heading(page, "Analytics")).toBeVisible();
  });

  await test.step("a request by its id", async () => {
    const { requestId } = await api.get("/nowhere");
    await page.keyboard.press("Control+k");
    await choose(page, requestId ?? "", /^GET \/api\/v1\/nowhere/);
    await expect(page).toHaveURL(`/audit-logs/${requestId}`);
    await expect(palette(page)).toBeHidden();
  });

  await test.step("an endpoint", async () => {
    await page.keyboard.press("Control+k");
    await choose(page, "127.0", /^127\.0\.0\.1:1/);
    await expect(heading(page, "127.0.0.1:1")).toBeVisible();
  });
});

test("actions run from the palette; keys navigate pages and lists", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string }>("/api-keys", { name: "ci-deploy" });
  await api.post("/api-keys", { name: "metrics" });
  await api.post("/api-keys", { name: "backup" });
  await open(page, "/certificates");

  await test.step("what the page itself offers; the focus comes back to its button", async () => {
    await go(page, "k", "API keys");
    await page.keyboard.press("Control+k");
    await choose(page, "create", "Create key");
    await expect(page.getByRole("dialog", { name: "Create an API key" }).getByLabel("Name")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Create key" })).toBeFocused();
  });

  await test.step("an action on a key from another page", async () => {
    await go(page, "s", "Statistics");
    await page.keyboard.press("Control+k");
    await choose(page, "revoke ci", "Revoke ci-deploy…");
    const dialog = page.getByRole("dialog", { name: "Revoke ci-deploy?" });
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Tab");
    await toasts(page, "ci-deploy was revoked.", () => page.keyboard.press("Enter"));
    await expect(dialog).toBeHidden();
    expect((await api.get<{ status: string }>(`/api-keys/${key.id}`)).data.status).toBe("revoked");
  });

  await test.step("what another page offers", async () => {
    await page.keyboard.press("Control+k");
    await choose(page, "invite", "Invite member");
    await expect(page.getByRole("dialog", { name: "Invite" })).toBeVisible();
    await expect(heading(page, "Members")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });

  await test.step("which keys do what, and the way through a list", async () => {
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(help).toContainText("Search or run a command");
    await page.keyboard.press("Escape");
    await expect(help).toBeHidden();
    await go(page, "k", "API keys");
    await alive(page.getByRole("link", { name: "backup" }));
    await page.getByRole("main").focus();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "backup" })).toBeFocused();
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: "metrics" })).toBeFocused();
    // In a list k moves up, but after g it opens the API keys.
    await go(page, "c", "Certificates");
  });

  await test.step("letters typed into a form are text", async () => {
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const host = page.getByRole("dialog").getByLabel("Host");
    await host.fill("");
    await page.keyboard.type("gk?");
    await expect(host).toHaveValue("gk?");
    await expect(heading(page, "Certificates")).toBeVisible();
  });
});

test("a pasted secret is named by its key, and never leaves the browser", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string; secret: string }>("/api-keys", { name: "ci-deploy" });
  await api.post(`/api-keys/${key.id}/rotate`);
  await open(page, "/certificates");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.insertText(`Authorization: Bearer ${key.secret}\n`);
  await expect(palette(page).getByRole("option", { selected: true })).toHaveText(/^Secret of ci-deploy, rotated out/);
  await expect(palette(page).getByRole("combobox")).toHaveValue(/^sw_..….{4}$/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/api-keys/${key.id}`);
  await expect(heading(page, "ci-deploy")).toBeVisible();
  expect(sent.some((request) => request.includes("/api-keys/identify?secret_sha256="))).toBe(true);
  expect(sent.filter((request) => request.includes(key.secret.slice(3, 20)))).toEqual([]);
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  expect(stored).not.toContain(key.secret.slice(3, 20));

  await expect(palette(page)).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(palette(page).getByRole("combobox")).toBeFocused();
  await page.keyboard.insertText(key.secret.slice(0, 30));
  await expect(palette(page)).toContainText("It was not sent anywhere.");
});

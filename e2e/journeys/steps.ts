import { expect, type Locator, type Page } from "playwright/test";
import { type Api, withKey } from "@/e2e/support/api";
import type { Person } from "@/e2e/support/person";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";

/** Waits until React handles an element's events: earlier clicks are lost. */
export async function alive(element: Locator): Promise<void> {
  const isAlive = () => element.evaluate((node) => Object.keys(node).some((name) => name.startsWith("__reactProps")));
  await expect.poll(isAlive, { message: "the page comes alive" }).toBe(true);
}

/** Waits until the current page, not only its frame, is interactive. */
export async function settled(page: Page): Promise<void> {
  await alive(page.getByRole("heading", { level: 1 }));
}

/** Opens a page and waits until it is interactive. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/**
 * Opens a page again until it shows the worker's result. `what` gets the milliseconds that its expectations may wait, more each time:
 * a slow machine shows nothing in a short time.
 */
export async function sees(page: Page, path: string, what: (timeout: number) => Promise<void>): Promise<void> {
  let timeout = 500;
  await expect(async () => {
    timeout *= 1.5;
    await open(page, path);
    await what(timeout);
  }).toPass();
}

/** Acts and sees a toast, for which it begins to wait before: toasts disappear by themselves. */
export async function toasts(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([expect(page.getByText(words)).toBeVisible(), act()]);
}

/** Fills in the identity provider's form. */
export async function fillIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in like a person: from the sign-in page through the identity provider's form to the overview. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await open(page, "/");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Sign in" }).click();
  await fillIn(page, person);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await settled(page);
}

/** Signs in as the owner of a server of its own, who creates an API key with admin permission. */
export async function signInWithKey(page: Page, server: Sealwatch): Promise<{ key: { id: string }; api: Api }> {
  await signIn(page, { ...server.owner, name: "Owner" });
  const made = await page.request.post("/api/v1/api-keys", {
    data: { name: "ci-deploy", permission: "admin" },
    headers: { origin: server.url },
  });
  const { data: key } = await made.json();
  return { key, api: withKey(server, key.secret) };
}

/** Signs the page's browser in as a new person, for journeys that begin after the sign-in. */
export async function enterAs(page: Page, sealwatch: Sealwatch): Promise<SignedIn> {
  const session = await newSession(sealwatch);
  const [name = "", value = ""] = session.cookie.split("=");
  await page.context().addCookies([{ name, value, url: sealwatch.url, httpOnly: true, sameSite: "Lax" }]);
  return session;
}

/** The page's own cookies, as a header. */
export async function cookiesOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies(page.url());
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

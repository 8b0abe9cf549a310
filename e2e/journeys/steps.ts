import { expect, type Locator, type Page } from "playwright/test";
import type { Person } from "@/e2e/support/person";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession, type SignedIn } from "@/e2e/support/session";

/** Waits until React answers for an element: a press before that is lost, as it would be for a person that quick. */
export async function alive(element: Locator): Promise<void> {
  const isAlive = () => element.evaluate((node) => Object.keys(node).some((name) => name.startsWith("__reactProps")));
  await expect.poll(isAlive, { message: "the page comes alive" }).toBe(true);
}

/** Waits until the page that is shown, and not only its frame, is alive. */
export async function settled(page: Page): Promise<void> {
  await alive(page.getByRole("heading", { level: 1 }));
}

/** Opens a page and waits until it is alive. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** Types what the identity provider asks for. */
export async function fillIn(page: Page, person: Person): Promise<void> {
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in as a person does: from the page one is sent to, by the identity provider's form, to the overview. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await open(page, "/");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Sign in" }).click();
  await fillIn(page, person);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await settled(page);
}

/** Lets the page's browser in as someone new, for journeys that begin after the sign-in. */
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

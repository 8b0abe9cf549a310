import { expect } from "playwright/test";
import { enterAs, open, settled, toasts } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";

const OFFICE = "192.0.2.10";
const FORGOTTEN = "198.51.100.23";
const THIEF = "203.0.113.7";

test("a whitelist is edited with a preview of the addresses that it refuses", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string; secret: string }>("/api-keys", { name: "ci-deploy" });
  const from = (address: string) => withKey(sealwatch, key.secret).with({ "x-forwarded-for": address });
  for (const address of [OFFICE, FORGOTTEN, FORGOTTEN]) {
    expect((await from(address).get("/certificates")).status).toBe(200);
  }
  const whitelist = async () => (await api.get<{ ip_whitelist: string[] }>(`/api-keys/${key.id}`)).data.ip_whitelist;
  await open(page, `/api-keys/${key.id}`);
  await page.getByRole("button", { name: "Edit…" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit ci-deploy" });
  const addresses = dialog.getByLabel("Allowed addresses");
  const refused = dialog.getByRole("table", { name: "Addresses that would be blocked" });

  await test.step("an entry that is not a network is an error at the field", async () => {
    await addresses.fill("192.0.2.10/24");
    await dialog.getByRole("button", { name: "Preview blocked addresses" }).click();
    await expect(dialog.getByRole("alert")).toContainText("192.0.2.0/24");
    await expect(addresses).toHaveAttribute("aria-invalid", "true");
  });

  await test.step("saving stops if it would block addresses, and lists them", async () => {
    await addresses.fill("192.0.2.0/24");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toContainText("1 address of 2 seen in the last 30 days would get 403");
    await expect(refused.getByRole("row").filter({ hasText: FORGOTTEN })).toContainText("2 requests");
    await expect(refused).not.toContainText(OFFICE);
    await expect(dialog.getByRole("button", { name: "Save and block 1 address" })).toBeVisible();
    expect(await whitelist()).toEqual([]);
  });

  await test.step("another entry makes the answer unknown again", async () => {
    await addresses.fill(`192.0.2.0/24\n${FORGOTTEN}`);
    await expect(refused).toBeHidden();
    await dialog.getByRole("button", { name: "Preview blocked addresses" }).click();
    await expect(dialog).toContainText("Checked 2 addresses seen in the last 30 days");
    expect(await whitelist()).toEqual([]);
  });

  await test.step("blocking an address takes a second click", async () => {
    await addresses.fill("192.0.2.0/24");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    const save = dialog.getByRole("button", { name: "Save and block 1 address" });
    await toasts(page, "ci-deploy was updated.", () => save.click());
    await expect(dialog).toBeHidden();
    expect(await whitelist()).toEqual(["192.0.2.0/24"]);
    expect((await from(OFFICE).get("/certificates")).status).toBe(200);
    expect((await from(FORGOTTEN).get("/certificates")).error.code).toBe("IP_NOT_ALLOWED");
  });

  await test.step("an address that is already blocked does not stop saving", async () => {
    await page.getByRole("button", { name: "Edit…" }).click();
    await addresses.fill("192.0.2.10");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toBeHidden();
    expect(await whitelist()).toEqual([OFFICE]);
  });

  await test.step("the history says what changed, and the entry shows it before and after", async () => {
    await page.reload();
    const history = page.getByRole("table", { name: "History" }).getByRole("row");
    await expect(history.nth(1)).toContainText("Changed ci-deploy’s IP whitelist: + 192.0.2.10 − 192.0.2.0/24");
    await expect(history.nth(3)).toContainText("Created API key ci-deploy");
    await history.nth(1).getByRole("link").click();
    const fields = page.getByRole("table", { name: "Fields before and after" }).getByRole("row");
    await expect(fields.nth(1)).toContainText("IP whitelist");
    await expect(fields.nth(1).getByRole("cell").nth(0)).toHaveText("− 192.0.2.0/24");
    await expect(fields.nth(1).getByRole("cell").nth(1)).toHaveText("+ 192.0.2.10");
  });
});

test("a leaked secret: who still tries it, what to do about it, and that it was handled", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string; secret: string }>("/api-keys", { name: "ci-deploy" });
  const from = (address: string) => withKey(sealwatch, key.secret).with({ "x-forwarded-for": address });
  expect((await from(OFFICE).get("/certificates")).status).toBe(200);
  await api.post(`/api-keys/${key.id}/rotate`);
  for (const address of [OFFICE, THIEF]) expect((await from(address).get("/certificates")).status).toBe(401);
  const strangers = page.getByRole("table", { name: "Unrecognized addresses" });

  await test.step("security events lead to the page in one click", async () => {
    await open(page, "/security-events");
    await expect(page.getByRole("main")).toContainText("An old secret of ci-deploy is in use: 2 attempts");
    await page.getByRole("link", { name: "See who still uses it" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Old secrets of ci-deploy" })).toBeVisible();
    await settled(page);
    await expect(page.getByText("1 unrecognized address and 1 address of your own tried an old secret")).toBeVisible();
    await expect(strangers.getByRole("row").filter({ hasText: THIEF })).toContainText("never succeeded");
    await expect(strangers).not.toContainText(OFFICE);
    await expect(page.getByRole("table", { name: "Your own addresses" })).toContainText(OFFICE);
  });

  await test.step("when an address first succeeded leads to what it could read", async () => {
    await page.getByTitle(`Successful requests from ${OFFICE}`).click();
    const read = page.getByRole("table", { name: "Audit log" }).getByRole("row").filter({ hasText: OFFICE });
    await expect(read.first()).toContainText("/certificates");
    await expect(read.filter({ hasText: "401" })).toHaveCount(0);
    await page.goBack();
    await settled(page);
  });

  await test.step("a whitelist blocks the unrecognized address, and begins with the addresses that used the key", async () => {
    await page.getByRole("button", { name: "Block addresses…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit ci-deploy" });
    await expect(dialog.getByLabel("Allowed addresses")).toHaveValue(OFFICE);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toBeHidden();
    await expect(strangers.getByRole("row").filter({ hasText: THIEF })).toContainText("blocked");
  });

  await test.step("it is handled with a note, until another unrecognized address tries", async () => {
    await page.getByRole("button", { name: "Mark as handled…" }).click();
    await page.getByLabel("Note").fill("Reported to the provider.");
    await page.getByRole("dialog").getByRole("button", { name: "Mark as handled" }).click();
    await expect(page.getByRole("main")).toContainText("“Reported to the provider.”");
    await expect(page.getByRole("button", { name: "Mark as handled…" })).toBeHidden();
    expect((await from("203.0.113.99").get("/certificates")).error.code).toBe("IP_NOT_ALLOWED");
    await page.reload();
    await expect(page.getByText("A new unrecognized address reopened it.")).toBeVisible();
  });

  await test.step("the entry of an unrecognized address's attempt does not ask to deploy the new secret there", async () => {
    const { requestId } = await from(OFFICE).get("/certificates");
    await open(page, `/audit-logs/${requestId}`);
    await expect(page.getByRole("main")).toContainText("The address used the key before: deploy the new secret there.");
    const { data } = await api.get<{ id: string }[]>(`/audit-logs?flag=rotated_secret&ip=${THIEF}`);
    await open(page, `/audit-logs/${data[0]?.id}`);
    await expect(page.getByRole("main")).toContainText("The address never used the key successfully");
    await page.getByRole("link", { name: "See who still uses it" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Old secrets of ci-deploy" })).toBeVisible();
  });
});

test("a dialog stays while its request runs, and loses no secret that is shown once", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const { data: key } = await api.post<{ id: string }>("/api-keys", { name: "ci-deploy" });
  await open(page, `/api-keys/${key.id}`);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const rotation = `**/api/v1/api-keys/${key.id}/rotate`;
  await page.route(rotation, async (route) => {
    await held;
    await route.continue();
  });
  const dialog = page.getByRole("dialog");
  const pressAt = (x: number, y: number) =>
    dialog.dispatchEvent("mousedown", { clientX: x, clientY: y, bubbles: true, cancelable: true });

  await test.step("a click on the dialog's own scrollbar is not a click outside of it", async () => {
    await page.getByRole("button", { name: "Edit…" }).click();
    const place = await dialog.boundingBox();
    if (place === null) throw new Error("the dialog has no place");
    await pressAt(place.x + place.width - 4, place.y + place.height / 2);
    await expect(dialog.getByLabel("Name")).toBeVisible();
    await pressAt(place.x - 20, place.y + place.height / 2);
    await expect(dialog).toBeHidden();
  });

  await test.step("nothing closes it while the new secret is on its way", async () => {
    await page.getByRole("button", { name: "Rotate secret…" }).click();
    const sent = page.waitForRequest(rotation);
    await dialog.getByRole("button", { name: "Rotate secret" }).click();
    await sent;
    const cancel = dialog.getByRole("button", { name: "Cancel" });
    await expect(cancel).toHaveAttribute("aria-disabled", "true");
    await expect(dialog.getByRole("button", { name: "Close" })).toHaveAttribute("aria-disabled", "true");
    await cancel.click({ force: true });
    await page.keyboard.press("Escape");
    await pressAt(1, 1);
    await expect(dialog.getByRole("button", { name: "Rotate secret" })).toBeVisible();
    answer();
    await dialog.getByRole("button", { name: "I have stored the secret" }).click();
    await expect(dialog).toBeHidden();
  });
});

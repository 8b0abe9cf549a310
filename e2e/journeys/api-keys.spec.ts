import { expect } from "playwright/test";
import { enterAs, open, toasts } from "@/e2e/journeys/steps";
import { withKey } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";

const OFFICE = "192.0.2.10";
const FORGOTTEN = "198.51.100.23";

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

  await test.step("what is no network is told at the field", async () => {
    await addresses.fill("192.0.2.10/24");
    await dialog.getByRole("button", { name: "Preview blocked addresses" }).click();
    await expect(dialog.getByRole("alert")).toContainText("192.0.2.0/24");
    await expect(addresses).toHaveAttribute("aria-invalid", "true");
  });

  await test.step("saving stops where it would shut somebody out, and says whom", async () => {
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

  await test.step("refusing somebody takes a second press", async () => {
    await addresses.fill("192.0.2.0/24");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    const save = dialog.getByRole("button", { name: "Save and block 1 address" });
    await toasts(page, "ci-deploy was updated.", () => save.click());
    await expect(dialog).toBeHidden();
    expect(await whitelist()).toEqual(["192.0.2.0/24"]);
    expect((await from(OFFICE).get("/certificates")).status).toBe(200);
    expect((await from(FORGOTTEN).get("/certificates")).error.code).toBe("IP_NOT_ALLOWED");
  });

  await test.step("who is refused already does not stand in the way", async () => {
    await page.getByRole("button", { name: "Edit…" }).click();
    await addresses.fill("192.0.2.10");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog).toBeHidden();
    expect(await whitelist()).toEqual([OFFICE]);
  });
});

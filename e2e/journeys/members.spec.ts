import { expect } from "@playwright/test";
import { enterAs, fillIn, open, settled } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";

test("someone is invited, accepts in another browser, becomes an admin, and is removed", async ({
  page,
  person,
  sealwatch,
  browser,
}) => {
  await enterAs(page, sealwatch);
  const context = await browser.newContext();
  const guest = await context.newPage();
  const dialog = page.getByRole("dialog");
  const members = page.getByRole("table", { name: "Members" });
  let link = "";

  await test.step("the admin invites by address, and is shown the link, since there is no mail server", async () => {
    await open(page, "/members");
    await page.getByRole("button", { name: "Invite" }).click();
    await dialog.getByLabel("E-mail address").fill("nobody");
    await dialog.getByRole("button", { name: "Invite" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Must be an e-mail address.");
    await dialog.getByLabel("E-mail address").fill(person.email);
    await dialog.getByRole("button", { name: "Invite" }).click();
    await expect(dialog).toContainText("It is shown this once");
    link = (await dialog.getByText(`${sealwatch.url}/invitations/`).textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have handed it on" }).click();
    await expect(page.getByRole("table", { name: "Invitations" })).toContainText(person.email);
  });

  await test.step("whoever is invited is asked to sign in, and comes back to the invitation", async () => {
    await open(guest, new URL(link).pathname);
    await expect(guest.getByText(`Sign in as ${person.email} to accept it.`)).toBeVisible();
    await guest.getByRole("button", { name: "Sign in" }).click();
    await fillIn(guest, person);
    await expect(guest).toHaveURL(link);
    await settled(guest);
    await guest.getByRole("button", { name: "Accept" }).click();
    await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(guest.getByRole("button", { name: `${person.name} read only` })).toBeVisible();
  });

  await test.step("the link is used up", async () => {
    await open(guest, new URL(link).pathname);
    await expect(guest.getByRole("heading", { name: "This invitation is not valid" })).toBeVisible();
  });

  await test.step("a reader sees the members and why they invite nobody", async () => {
    await open(guest, "/members");
    const reason =
      "You have read permission in this organization, which lets you look but not change. An admin can do this.";
    await expect(guest.getByRole("button", { name: "Invite" })).toHaveAccessibleDescription(reason);
    await open(guest, "/organization");
    await expect(guest.getByRole("button", { name: "Delete organization…" })).toHaveAccessibleDescription(reason);
  });

  await test.step("made an admin, they may invite at the next look", async () => {
    await page.reload();
    await settled(page);
    await members.getByRole("button", { name: `Actions for ${person.name}` }).click();
    await page.getByRole("menuitem", { name: "Make them an admin…" }).click();
    await dialog.getByRole("button", { name: "Make an admin" }).click();
    await expect(members.getByRole("row").filter({ hasText: person.name })).toContainText("admin");
    await open(guest, "/members");
    await expect(guest.getByRole("button", { name: "Invite" })).not.toHaveAttribute("aria-disabled", "true");
  });

  await test.step("removed, they are out at the next click", async () => {
    await members.getByRole("button", { name: `Actions for ${person.name}` }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await dialog.getByRole("button", { name: "Remove from the organization" }).click();
    await expect(members).not.toContainText(person.name);
    await guest.reload();
    await expect(guest.getByRole("complementary")).toContainText(`${person.name}’s organization`);
  });
  await context.close();
});

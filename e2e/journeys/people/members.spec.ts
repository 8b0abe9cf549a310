import { expect } from "playwright/test";
import { enterAs, fillIn, open, settled, toasts } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";

test("a person is invited, accepts in another browser, becomes an admin, and is removed", async ({
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
    await page.getByRole("button", { name: "Invite member" }).click();
    await dialog.getByLabel("E-mail address").fill("nobody");
    await dialog.getByRole("button", { name: "Invite member" }).click();
    await expect(dialog.getByRole("alert")).toContainText("Must be an e-mail address.");
    await dialog.getByLabel("E-mail address").fill(person.email);
    await dialog.getByRole("button", { name: "Invite member" }).click();
    await expect(dialog).toContainText("it is shown only once");
    link = (await dialog.getByText(`${sealwatch.url}/invitations/`).textContent()) ?? "";
    await dialog.getByRole("button", { name: "I have sent the link" }).click();
    await expect(page.getByRole("table", { name: "Invitations" })).toContainText(person.email);
  });

  await test.step("who is signed in as somebody else can sign out, and is told if that failed", async () => {
    const tab = await page.context().newPage();
    await open(tab, new URL(link).pathname);
    await tab.route("**/api/auth/sign-out", (route) => route.fulfill({ status: 503 }));
    const signOut = tab.getByRole("button", { name: "Sign out" });
    await toasts(tab, "You could not be signed out.", () => signOut.click());
    await expect(signOut).toBeEnabled();
    await tab.close();
  });

  await test.step("the invited person is asked to sign in, and returns to the invitation", async () => {
    await open(guest, new URL(link).pathname);
    await expect(guest.getByText(`Sign in as ${person.email} to accept it.`)).toBeVisible();
    await guest.getByRole("button", { name: "Sign in" }).click();
    await fillIn(guest, person);
    await expect(guest).toHaveURL(link);
    await settled(guest);
    await guest.getByRole("button", { name: "Accept invitation" }).click();
    await expect(guest.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
    await expect(guest.getByRole("button", { name: `${person.name} read only` })).toBeVisible();
  });

  await test.step("the link is used up", async () => {
    await open(guest, new URL(link).pathname);
    await expect(guest.getByRole("heading", { name: "This invitation is not valid" })).toBeVisible();
  });

  await test.step("a reader sees the members and why they cannot invite", async () => {
    await open(guest, "/members");
    const reason = "You have read permission in this organization. Only an admin can make changes.";
    await expect(guest.getByRole("button", { name: "Invite member" })).toHaveAccessibleDescription(reason);
    await open(guest, "/organization");
    await expect(guest.getByRole("button", { name: "Delete organization…" })).toHaveAccessibleDescription(reason);
  });

  await test.step("as an admin, they can invite when they load the page again", async () => {
    await page.reload();
    await settled(page);
    await members.getByRole("button", { name: `Actions for ${person.name}` }).click();
    await page.getByRole("menuitem", { name: "Make admin…" }).click();
    await dialog.getByRole("button", { name: "Make admin" }).click();
    await expect(members.getByRole("row").filter({ hasText: person.name })).toContainText("admin");
    await open(guest, "/members");
    await expect(guest.getByRole("button", { name: "Invite member" })).not.toHaveAttribute("aria-disabled", "true");
  });

  await test.step("what they did is one click from the list, and from the palette", async () => {
    const activity = page.getByRole("list", { name: "Active filters" });
    await members.getByRole("link", { name: person.name }).click();
    await expect(activity).toContainText(person.name);
    await page.goBack();
    await expect(members).toBeVisible();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(person.name);
    await dialog.getByRole("option", { name: `Activity of ${person.name}` }).click();
    await expect(activity).toContainText(person.name);
    await open(page, "/members");
  });

  await test.step("removed, they are out at the next click", async () => {
    await members.getByRole("button", { name: `Actions for ${person.name}` }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await dialog.getByRole("button", { name: "Remove member" }).click();
    await expect(members).not.toContainText(person.name);
    await guest.reload();
    await expect(guest.getByRole("complementary")).toContainText(`${person.name}’s organization`);
  });

  await test.step("the history says all that, newest first", async () => {
    await open(page, "/members");
    const history = page.getByRole("table", { name: "History" }).getByRole("row");
    await expect(history.nth(1)).toContainText(`Removed member ${person.email}`);
    await expect(history.nth(2)).toContainText(`Changed ${person.email}’s permission: read → admin`);
    await expect(history.nth(3)).toContainText(`Added member ${person.email}`);
  });

  await test.step("a page of the list that does not exist is named", async () => {
    await open(page, "/members?cursor=none");
    await expect(page.getByText("This view cannot be shown: cursor")).toBeVisible();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await expect(members).toBeVisible();
  });
  await context.close();
});

test("the last admin cannot leave; a deletion is confirmed by name, shown on every page, and cancelled", async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  const dialog = page.getByRole("dialog");
  await open(page, "/organization");
  await expect(page.getByRole("button", { name: "Leave…" })).toHaveAccessibleDescription(/You are the only admin/);

  await test.step("another name", async () => {
    await page.getByRole("button", { name: "Rename…" }).click();
    await dialog.getByLabel("Name").fill("Harbour & Sons");
    await dialog.getByRole("button", { name: "Rename" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbour & Sons");
  });

  await test.step("the export is a file that says it is whole", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export everything" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^sealwatch-organization-.*\.ndjson$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ export: { rows: lines.length - 1 } });
  });

  await test.step("deletion", async () => {
    await page.getByRole("button", { name: "Delete organization…" }).click();
    const deleteButton = dialog.getByRole("button", { name: "Delete in 14 days" });
    await expect(deleteButton).toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabel("Type the organization’s name").fill("Harbour & Sons");
    await deleteButton.click();
    await expect(page.getByText("requested the deletion of this organization")).toBeVisible();
    await open(page, "/members");
    await page.getByRole("link", { name: "Restore it or export its data" }).click();
    await page.getByRole("button", { name: "Restore organization" }).click();
    await expect(page.getByText("This organization will be deleted")).toBeHidden();
  });
});

test("a person with another account sees who an invitation is for", async ({ page, sealwatch, browser }) => {
  const session = await enterAs(page, sealwatch);
  const { data } = await session.api.post<{ url: string }>(`/organizations/${session.organizationId}/invitations`, {
    email: "someone.else@example.test",
  });
  const context = await browser.newContext();
  const other = await context.newPage();
  await enterAs(other, sealwatch);
  await open(other, new URL(data.url).pathname);
  await expect(other.getByText("Only someone.else@example.test can accept")).toBeVisible();
  await expect(other.getByRole("button", { name: "Accept invitation" })).toBeHidden();
  await context.close();
});

test("the plan page shows the usage, and that the operator sets plans", async ({ page, sealwatch }) => {
  const session = await enterAs(page, sealwatch);
  await open(page, "/billing");
  await expect(page.getByText("1 of 10")).toBeVisible();
  await expect(page.getByText("This installation sells no plans")).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: "current plan" })).toContainText("free");
  await sealwatch.cli("org", "set-plan", "--org", session.organizationId, "--plan", "team");
  await open(page, "/billing");
  await expect(page.getByRole("article").filter({ hasText: "current plan" })).toContainText("team");
  await expect(page.getByText("1 of 50")).toBeVisible();
});

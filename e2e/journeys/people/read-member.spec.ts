import { expect, type Page } from "playwright/test";
import { cookiesOf, enterAs, open, signIn } from "@/e2e/journeys/steps";
import { Api } from "@/e2e/support/api";
import { test } from "@/e2e/support/journey";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";

/** The organizations of a person who has signed in. */
function organizationsOf(sealwatch: Sealwatch, email: string): Promise<{ id: string; name: string }[]> {
  return query(
    sealwatch,
    "app",
    `SELECT o.id, o.name FROM organizations o JOIN memberships m ON m.organization_id = o.id
     JOIN users u ON u.id = m.user_id WHERE u.email = $1 ORDER BY m.created_at`,
    [email],
  );
}

async function emailOf(sealwatch: Sealwatch, { userId }: SignedIn): Promise<string> {
  const rows = await query<{ email: string }>(sealwatch, "app", "SELECT email FROM users WHERE id = $1", [userId]);
  return rows[0]?.email ?? "";
}

async function switchTo(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Organization: / }).click();
  await page.getByRole("menuitemradio", { name }).click();
  await expect(page.getByRole("button", { name: `Organization: ${name}. Switch` })).toBeVisible();
}

test("a person with read permission sees which actions are disabled and why, and loses access when removed", {
  tag: "@long",
}, async ({ page, person, sealwatch, browser }) => {
  const admin = await browser.newContext({ baseURL: sealwatch.url });
  const session = await enterAs(await admin.newPage(), sealwatch);
  const { data: key } = await session.api.post<{ id: string }>("/api-keys", { name: "deploy" });
  await session.api.post("/certificates/endpoints", { host: "127.0.0.1", port: 1 });
  await signIn(page, person);
  await test.step("made a member by the operator, they can switch", async () => {
    await sealwatch.cli("member", "set", "--org", session.organizationId, "--email", person.email);
    const [, { name } = { name: "" }] = await organizationsOf(sealwatch, person.email);
    await open(page, "/api-keys");
    await expect(page.getByText("deploy")).toBeHidden();
    await switchTo(page, name);
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("button", { name: `${person.name} read only` })).toBeVisible();
  });

  const reason = "You have read permission in this organization. Only an admin can make changes.";
  await test.step("what they may not do is off, and says why", async () => {
    await open(page, "/api-keys");
    const create = page.getByRole("button", { name: "Create key" });
    await expect(create).toHaveAttribute("aria-disabled", "true");
    await expect(create).toHaveAccessibleDescription(reason);
    await create.focus();
    await expect(page.getByRole("tooltip")).toContainText(reason);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.getByRole("button", { name: "Actions for deploy" }).click();
    const menu = page.getByRole("menu");
    for (const action of ["Edit…", "Rotate secret…", "Revoke…"]) {
      await expect(menu.getByRole("menuitem", { name: action })).toBeDisabled();
    }
    await expect(menu).toContainText(reason);
    await page.keyboard.press("Escape");

    await open(page, "/certificates");
    await expect(page.getByRole("button", { name: "Add endpoint" })).toHaveAccessibleDescription(reason);
    await page.getByRole("link", { name: "127.0.0.1:1" }).click();
    for (const action of ["Check now", "Edit…", "Delete…"]) {
      await expect(page.getByRole("button", { name: action })).toHaveAccessibleDescription(reason);
    }
    const actions: [string, string][] = [
      ["/alert-rules", "Create rule"],
      ["/notification-channels", "Add channel"],
      ["/destinations", "Add destination"],
      ["/destinations/new?type=https", "Send test"],
      ["/uptime", "Add monitor"],
      ["/uptime/maintenance", "Schedule maintenance"],
      ["/subdomains/domains", "Add domain"],
      ["/certificates/trust-stores", "Add trust store"],
      ["/certificates/agents", "Add agent"],
      ["/certificates/calendars", "Create calendar"],
      ["/members", "Invite"],
    ];
    for (const [path, action] of actions) {
      await open(page, path);
      const button = page.getByRole("button", { name: action }).first();
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAccessibleDescription(reason);
    }
  });

  const api = async () => new Api(sealwatch.url, { cookie: await cookiesOf(page), origin: sealwatch.url });
  await test.step("their session reads and does not write, whatever the page says", async () => {
    const caller = await api();
    expect((await caller.get("/api-keys")).status).toBe(200);
    const writes = [
      await caller.post("/api-keys", { name: "mine" }),
      await caller.post(`/api-keys/${key.id}/rotate`),
      await caller.delete(`/api-keys/${key.id}`),
    ];
    for (const answer of writes) {
      expect(answer.status).toBe(403);
      expect(answer.error.code).toBe("METHOD_NOT_ALLOWED");
    }
    await open(page, "/security-events");
    const group = page
      .getByRole("list", { name: "Needs attention" })
      .getByRole("listitem")
      .filter({ hasText: "Method not allowed" });
    await expect(group).toContainText(`${person.name} has read permission but tried to make changes: 3 attempts`);
  });

  await test.step("removed, they are out at the next click", async () => {
    await sealwatch.cli("member", "remove", "--org", session.organizationId, "--email", person.email);
    await page.getByRole("link", { name: "API keys", exact: true }).click();
    await expect(page.getByRole("heading", { name: "No active key" })).toBeVisible();
    await expect(page.getByText("deploy")).toBeHidden();
    await page.reload();
    await expect(page.getByText(`${person.name}’s organization`)).toBeVisible();
    expect((await (await api()).get(`/api-keys/${key.id}`)).status).toBe(404);
  });
  await admin.close();
});

test("a person in two organizations switches between them", async ({ page, sealwatch, browser }) => {
  const first = await enterAs(page, sealwatch);
  const context = await browser.newContext();
  const second = await enterAs(await context.newPage(), sealwatch);
  await context.close();
  await first.api.post("/api-keys", { name: "of the first" });
  await second.api.post("/api-keys", { name: "of the second" });
  const [email, other] = [await emailOf(sealwatch, first), await emailOf(sealwatch, second)];
  await sealwatch.cli("member", "set", "--org", second.organizationId, "--email", email, "--permission", "admin");
  const [here = { name: "" }, there = { name: "" }] = await organizationsOf(sealwatch, email);
  const keys = page.getByRole("table", { name: "Active keys" });

  await open(page, "/api-keys");
  await expect(keys).toContainText("of the first");
  await switchTo(page, there.name);
  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await expect(keys).toContainText("of the second");
  await expect(keys).not.toContainText("of the first");

  await test.step("what is made now belongs to the chosen one", async () => {
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("made after the switch");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    await page.getByRole("button", { name: "I have stored the secret" }).click();
    await expect(keys).toContainText("made after the switch");
    const namesIn = async ({ api }: SignedIn) =>
      (await api.get<{ name: string }[]>("/api-keys")).data.map((key) => key.name);
    expect(await namesIn(second)).toEqual(["made after the switch", "of the second"]);
    expect(await namesIn(first)).toEqual(["of the first"]);
    await switchTo(page, here.name);
    await expect(page).toHaveURL("/");
  });

  await test.step("a member of nothing any more is sent to sign in", async () => {
    await page.getByRole("link", { name: "API keys", exact: true }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("typed before");
    await sealwatch.cli("member", "set", "--org", first.organizationId, "--email", other, "--permission", "admin");
    await sealwatch.cli("member", "remove", "--org", second.organizationId, "--email", email);
    await sealwatch.cli("member", "remove", "--org", first.organizationId, "--email", email);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await expect(ended).toContainText("What you typed is still here");
    await ended.getByRole("button", { name: "I have signed in" }).click();
    await expect(page.getByRole("dialog").getByLabel("Name")).toHaveValue("typed before");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("link", { name: "Audit log", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Sign in to Sealwatch" })).toBeVisible();
    expect((await first.api.get("/api-keys")).status).toBe(401);
  });
});

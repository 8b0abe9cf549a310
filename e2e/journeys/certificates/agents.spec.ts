import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { newState, startAgent } from "@/e2e/support/agent";
import { send } from "@/e2e/support/http";
import { test } from "@/e2e/support/journey";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";

test("an agent is added with the command that starts it, checks an endpoint, and is deleted", async ({
  page,
  sealwatch,
}) => {
  const inside = await serveTls([await makeCertificate({ name: "inside.test", sans: ["inside.test"] })]);
  await enterAs(page, sealwatch);
  await open(page, "/certificates/agents");
  const add = page.getByRole("button", { name: "Add agent" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Office");
  await dialog.getByRole("button", { name: "Add agent" }).click();
  const [download, command] = [dialog.locator("pre").nth(0), dialog.locator("pre").nth(1)];
  await expect(download).toContainText(`${sealwatch.url}/sealwatch-agent.mjs`);
  const program = await send(sealwatch.url, { method: "GET", target: "/sealwatch-agent.mjs" });
  expect([program.status, program.text.startsWith("#!/usr/bin/env node\n")]).toEqual([200, true]);
  const form = /^SEALWATCH_API_KEY=(sw_\w+) node sealwatch-agent\.mjs --url \S+ --agent (\S+) --state \S+$/;
  const [, secret = "", id = ""] = form.exec((await command.textContent()) ?? "") ?? [];
  await dialog.getByRole("button", { name: "I have stored the command" }).click();
  const row = page.getByRole("table", { name: "Agents" }).getByRole("row").nth(1);
  await expect(row).toContainText(/Office.*not started yet/);

  const agent = startAgent(sealwatch.url, { id, secret }, newState());
  await open(page, "/certificates");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await dialog.getByLabel("Host").fill(`inside.test:${inside.port}`);
  await dialog.getByText("More settings: protocol, addresses, tags, trust store, agent").click();
  await dialog.getByLabel("Connect to").fill("127.0.0.1");
  await dialog.getByLabel("Checked by").selectOption({ label: "Agent Office" });
  await dialog.getByRole("button", { name: "Add endpoint" }).click();
  await dialog.getByRole("link", { name: "Open endpoint" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`inside.test:${inside.port}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("main")).toContainText("Self-signed", { timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("main")).toContainText(/Checked by\s*Agent Office/);
  await page.getByRole("link", { name: "Agent Office" }).click();
  await expect(row).toContainText(/Office.*1/);
  await row.getByRole("button", { name: "Actions for Office" }).click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem", { name: "Delete…" })).toBeDisabled();
  await expect(menu).toContainText("It checks 1 endpoint. Choose who checks it first.");

  await menu.getByRole("menuitem", { name: "Replace credentials…" }).click();
  await dialog.getByRole("button", { name: "Replace credentials" }).click();
  await expect(dialog.locator("pre").nth(1)).not.toContainText(secret);
  await dialog.getByRole("button", { name: "I have stored the command" }).click();
  await expect(row).toContainText("not started yet");
  expect(await agent.stop()).toBe(0);
  await inside.close();
});

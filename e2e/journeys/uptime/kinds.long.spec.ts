import { type AddressInfo, createServer } from "node:net";
import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { startNameServer } from "@/e2e/support/stand-ins/name-server";

test("a cache is pinged over TCP and a name is looked up; each form has only the fields of its kind", async ({
  page,
  sealwatch,
}) => {
  await enterAs(page, sealwatch);
  const cache = createServer((socket) => {
    socket.on("error", () => {}).on("data", (data) => socket.end(`${data}` === "PING\r\n" ? "+PONG\r\n" : "-ERR\r\n"));
  });
  await new Promise<void>((resolve) => cache.listen(0, "127.0.0.1", resolve));
  const names = await startNameServer();
  names.zones.set("site.test", { a: ["192.0.2.66"] });

  await open(page, "/uptime");
  const add = page.getByRole("button", { name: "Add monitor" });
  await alive(add);
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add a monitor" });
  await dialog.getByLabel("Name", { exact: true }).fill("Cache");
  await dialog.getByLabel("Type").selectOption("TCP");
  await dialog.getByLabel("Host and port").fill(`127.0.0.1:${(cache.address() as AddressInfo).port}`);
  await dialog.getByText("Send and expect, TLS").click();
  await dialog.getByLabel("Send").fill("PING\\r\\n");
  await dialog.getByLabel("Expected text").fill("+PONG");
  await expect(dialog.getByLabel("Method")).toHaveCount(0);
  await inspect(page, "the form of a TCP monitor");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  const row = page.getByRole("row").filter({ hasText: "Cache" });
  await expect(row).toContainText("Up");

  await add.click();
  await dialog.getByLabel("Name", { exact: true }).fill("Names");
  await dialog.getByLabel("Type").selectOption("DNS");
  await dialog.getByLabel("Name to look up").fill("site.test");
  await dialog.getByLabel("Name server").fill(names.address);
  await dialog.getByLabel("Expected answers").fill("192.0.2.1");
  await expect(dialog.getByLabel("IP version")).toHaveCount(0);
  await inspect(page, "the form of a DNS monitor");
  await dialog.getByRole("button", { name: "Add monitor" }).click();
  await page.getByRole("row").filter({ hasText: "Names" }).getByRole("link", { name: "Names" }).click();
  await expect(page.getByText("Unexpected DNS answer (192.0.2.66)").first()).toBeVisible();
  await expect(page.getByText("Any of these")).toBeVisible();
  cache.close();
  names.close();
});

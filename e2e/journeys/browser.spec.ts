import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { enterAs } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";

// Otherwise the journeys about cookies, content policies and other sites would not prove what they claim.
test("the browser prevents one site from reading another", async ({ page, sealwatch }) => {
  await enterAs(page, sealwatch);
  const site = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Another site</h1>"),
  );
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = site.address() as AddressInfo;
    const read = (url: string) =>
      page.evaluate(
        (address) =>
          fetch(address, { credentials: "include" }).then(
            (answer) => answer.text(),
            (error: Error) => error.name,
          ),
        url,
      );
    await page.goto(`http://localhost:${port}/`);
    expect(await read(`http://localhost:${port}/own`)).toContain("Another site");
    for (const path of ["/healthz", "/api/v1/api-keys"])
      expect(await read(`${sealwatch.url}${path}`)).toBe("TypeError");
    await page.goto("/");
    expect(await read(`${sealwatch.url}/api/v1/api-keys`)).toContain('"data"');
  } finally {
    site.close();
  }
});

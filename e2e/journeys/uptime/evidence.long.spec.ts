import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";

test("the response that made a monitor down is shown as text, without secrets", async ({ page, sealwatch }) => {
  const { api } = await enterAs(page, sealwatch);
  const site = createServer((_, response) => {
    response.writeHead(502, { "set-cookie": "sid=topsecret", server: "edge-7" }).end("<h1>Bad gateway at edge</h1>");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const body = { name: "Shop", type: "http", target, failure_threshold: 1 };
  const { data: monitor } = await api.post<{ id: string }>("/uptime", body);
  await open(page, `/uptime/${monitor.id}`);
  await expect(page.getByRole("heading", { name: "Last failed response" })).toBeVisible();
  await expect(page.getByText("<h1>Bad gateway at edge</h1>")).toBeVisible();
  await expect(page.getByText("edge-7")).toBeVisible();
  await expect(page.getByText("topsecret")).toHaveCount(0);
  await inspect(page, "a monitor with the response that failed");
  const { data: incidents } = await api.get<{ id: string }[]>(`/uptime/incidents?monitor_id=${monitor.id}`);
  await open(page, `/uptime/incidents/${incidents[0]?.id}`);
  await expect(page.getByText("<h1>Bad gateway at edge</h1>")).toBeVisible();
  site.close().closeAllConnections();
});

import { expect } from "playwright/test";
import { alive, enterAs, open } from "@/e2e/journeys/steps";
import { inspect } from "@/e2e/support/inspect";
import { test } from "@/e2e/support/journey";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";

const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

test("with its trust store a private authority's endpoint is fine, and a certificate for clients alone says what to do", async ({
  page,
  sealwatch,
}) => {
  const { api } = await enterAs(page, sealwatch);
  const authority = await makeAuthority("Cellar");
  const store = { name: "Cellar", pem: authority.root.pem };
  const { data } = await api.post<{ id: string }>("/certificates/trust-stores", store);
  const [good, clients] = [await authority.leaf(), await authority.leaf({ purposes: [CLIENT_AUTH] })];
  const old = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const servers = [
    await serveTls([good, authority.intermediate], old),
    await serveTls([clients, authority.intermediate]),
  ];
  const ids: string[] = [];
  for (const { port } of servers) {
    const target = { host: "127.0.0.1", port, sni: "good.test", trust_store_id: data.id };
    ids.push((await api.post<{ id: string }>("/certificates/endpoints", target)).data.id);
  }
  const main = page.getByRole("main");

  await test.step("the list has one that is fine and one that is critical", async () => {
    await open(page, "/certificates");
    const rows = [0, 1].map((at) => page.getByRole("row").filter({ hasText: `127.0.0.1:${servers[at]?.port}` }));
    await expect(rows[0] ?? main).toContainText("OK");
    await expect(rows[1] ?? main).toContainText("Not for servers");
  });

  await test.step("the page says what the certificate is for, and what to do", async () => {
    await open(page, `/certificates/endpoints/${ids[1]}`);
    await expect(main).toContainText("may be used for client auth, but not for servers (server_auth)");
    await expect(main).toContainText("if this one is for clients, install another one here");
    await inspect(page, "an endpoint with a certificate for clients alone");
  });

  await test.step("a requested check shows what else the server accepts", async () => {
    await open(page, `/certificates/endpoints/${ids[0]}`);
    const check = page.getByRole("button", { name: "Check now" });
    await alive(check);
    await check.click();
    await expect(page.getByRole("heading", { name: "Accepted by the server" })).toBeVisible();
    await expect(main).toContainText("TLS 1.3, TLS 1.2, TLS 1.1, TLS 1.0");
    await expect(main).toContainText("Outdated TLS version");
    await inspect(page, "an endpoint with the results of a scan");
  });
  for (const server of servers) await server.close();
});

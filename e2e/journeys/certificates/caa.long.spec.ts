import { expect } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { arrange, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";

test("who may issue is shown, and that the next renewal will be refused", async ({ page, sealwatch }) => {
  const domain = newDomainName();
  await arrange(sealwatch, { zones: { [domain]: { caa: [{ tag: "issue", value: "other.example" }] } } });
  const issuer = await makeCertificate({ name: "R99,O=Let's Encrypt", ca: true });
  const server = await serveTls([await makeCertificate({ name: domain, sans: [`www.${domain}`], issuer }), issuer]);
  const { api } = await enterAs(page, sealwatch);
  const target = { host: "127.0.0.1", port: server.port, sni: `www.${domain}` };
  const { data } = await api.post<{ id: string; certificate: { id: string } }>("/certificates/endpoints", target);
  await open(page, `/certificates/endpoints/${data.id}`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("heading", { name: "CAA forbids the renewal" })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole("main")).toContainText('Add a CAA record with issue "letsencrypt.org"');
  await open(page, `/certificates/${data.certificate.id}`);
  const row = page.getByRole("table", { name: "Who may issue" }).getByRole("row").nth(1);
  await expect(row).toContainText("Not permitted");
  await expect(row).toContainText("issue other.example");
  await server.close();
});

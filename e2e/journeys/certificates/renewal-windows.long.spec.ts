import { expect, type Page } from "playwright/test";
import { enterAs, open } from "@/e2e/journeys/steps";
import { test } from "@/e2e/support/journey";
import { query } from "@/e2e/support/servers/databases";
import { ACME_AUTHORITY, acmeCertificate } from "@/e2e/support/stand-ins/acme";
import { arrange } from "@/e2e/support/stand-ins/small-internet";
import { makeAuthority } from "@/e2e/support/stand-ins/test-certificates";
import { serveTls } from "@/e2e/support/stand-ins/test-servers";

const days = (from: number, to: number) => ({
  start: new Date(Date.now() + from * 86_400_000).toISOString(),
  end: new Date(Date.now() + to * 86_400_000).toISOString(),
});

/** Reloads the page until the worker's part is done. */
async function untilShown(page: Page, text: string): Promise<void> {
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("main")).toContainText(text, { timeout: 1_000 });
  }).toPass();
}

test("an endpoint shows when its authority suggests renewal, and that it moved the window forward", async ({
  page,
  sealwatch,
}) => {
  const authority = await makeAuthority(ACME_AUTHORITY);
  const { certId, overrides } = acmeCertificate();
  await arrange(sealwatch, { acme: { [certId]: { window: days(40, 42) } } });
  const server = await serveTls([await authority.leaf(overrides), authority.intermediate]);
  const { api } = await enterAs(page, sealwatch);
  const target = { host: "127.0.0.1", port: server.port, sni: "good.test" };
  const { data } = await api.post<{ id: string; certificate: { id: string } }>("/certificates/endpoints", target);
  await open(page, `/certificates/endpoints/${data.id}`);
  await untilShown(page, "Suggested by");
  await expect(page.getByRole("main")).not.toContainText("Renewal moved forward");

  await arrange(sealwatch, {
    acme: { [certId]: { window: days(-1, -0.5), explanationURL: "https://ca.example/incident" } },
  });
  const due = "UPDATE certificate_renewals SET next_check_at = now() WHERE id = $1";
  await query(sealwatch, "app", due, [data.certificate.id]);
  await untilShown(page, "Renewal moved forward");
  await expect(page.getByRole("main")).toContainText("It will probably be revoked: renew it now");
  await expect(page.getByRole("link", { name: "https://ca.example/incident" }).first()).toBeVisible();
  await page.getByRole("link", { name: "good.test" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "good.test" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText("moved forward");
  await server.close();
});

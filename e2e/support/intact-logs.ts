import { expect } from "vitest";
import { exportWhenFree } from "@/e2e/audit/export-files";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import { until } from "@/e2e/support/until";
import { checkLogNow } from "@/lib/audit-logs/check/check-logs";
import { getSealedLog } from "@/lib/audit-logs/seal/get";
import { systemPrincipal } from "@/lib/http/principal";
import { verify } from "@/public/sealwatch-verify.mjs";

/**
 * Expects that nothing is wrong with any sealed log once all stored events are sealed and signed: the self-check finds nothing in any of
 * them, and the verifier proves the bundles of these people's organizations, which have all `ids`.
 */
export async function expectIntactLogs(server: Sealwatch, people: readonly SignedIn[], ids: readonly string[]) {
  const logs = () =>
    query<{ organization_id: string; is_signed: boolean; refused: string | null }>(
      server,
      "audit",
      `SELECT organization_id, refused, head_size = size AND signed_size = size
         AND NOT EXISTS (SELECT FROM audit_seal_queue q WHERE q.organization_id = l.organization_id) AS is_signed
       FROM audit_seal_logs l`,
    );
  await until("everything is sealed and signed", async () => (await logs()).every((log) => log.is_signed));
  for (const { organization_id, refused } of await logs()) {
    expect([organization_id, refused]).toEqual([organization_id, null]);
    expect([organization_id, (await checkLogNow(organization_id)).wrong]).toEqual([organization_id, null]);
  }
  const bundles: string[] = [];
  for (const who of people) {
    const { vkey } = await getSealedLog(systemPrincipal(who.organizationId));
    const bundle = await (await exportWhenFree(server, who, { format: "ndjson", include: "seal" })).read();
    expect(await verify([bundle], { vkey: vkey ?? "" })).toMatchObject({ code: 0, open: [] });
    bundles.push(bundle.toString());
  }
  const sealed = bundles.join("");
  expect(ids.filter((id) => !sealed.includes(id))).toEqual([]);
}

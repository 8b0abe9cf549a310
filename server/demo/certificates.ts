import { type Made, make, makeAuthority, type Wish } from "@/e2e/support/stand-ins/certificate-zoo";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import * as contract from "@/lib/certificates/contract";
import { createCertificateEndpoint } from "@/lib/certificates/endpoints/create-endpoint";
import { reportCertificateEndpoint } from "@/lib/certificates/endpoints/report-endpoint";
import { readEndpointToCheck, readServedChain } from "@/lib/certificates/record/endpoint-to-check";
import { createTrustStore } from "@/lib/certificates/trust-stores/create-trust-store";
import { writePem } from "@/lib/certificates/x509/uploaded-pem";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { db } from "@/lib/db/app";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import { auditRetentionDays } from "@/lib/plans";
import type { Ask } from "@/server/demo/requests";
import type { When } from "@/server/demo/story";

const REPORTED_EVERY_S = 86_400;

/** Runs `work` as a person's request at a time in the past, with its audit event. */
export type Done = <Result>(at: number, by: Principal, ask: Ask, work: () => Promise<Result>) => Promise<Result>;

/** A host of the demonstration, the chain that it serves now, and the chain before it, if there was one. */
interface Host {
  name: string;
  port?: number;
  tags: string[];
  serves: readonly Made[];
  before?: readonly Made[];
}

/** The hosts and their chains: most are fine, one certificate expires in six days without a renewal, one has expired. */
async function hosts(): Promise<{ root: Made; all: Host[] }> {
  const { root, intermediate, leaf } = await makeAuthority("Northwind");
  const of = async (name: string, wish: Partial<Wish>): Promise<Made[]> => [
    await leaf({ name, sans: [name], ...wish }),
    intermediate,
  ];
  const shop = "shop.northwind.example";
  const www = "www.northwind.example";
  const intranet = "intranet.northwind.example";
  const hook = "hooks.northwind.example";
  const [incomplete] = await of(hook, { fromDays: -30, untilDays: 60 });
  return {
    root,
    all: [
      { name: shop, tags: ["production", "shop"], serves: await of(shop, { fromDays: -84, untilDays: 6.5 }) },
      {
        name: www,
        tags: ["production"],
        before: await of(www, { fromDays: -70, untilDays: 20 }),
        serves: await of(www, { fromDays: -1, untilDays: 89 }),
      },
      ...(await Promise.all(
        ["api", "login", "status", "cdn"].map(async (label, at) => ({
          name: `${label}.northwind.example`,
          tags: ["production"],
          serves: await of(`${label}.northwind.example`, { fromDays: -19 - at * 4, untilDays: 71 - at * 4 }),
        })),
      )),
      { name: intranet, tags: ["office"], serves: await of(intranet, { fromDays: -92, untilDays: -2 }) },
      { name: hook, tags: ["production"], serves: incomplete ? [incomplete] : [] },
      {
        name: "printer.northwind.example",
        port: 8443,
        tags: ["office"],
        serves: [
          await make({
            name: "printer.northwind.example",
            sans: ["printer.northwind.example"],
            fromDays: -400,
            untilDays: 3250,
          }),
        ],
      },
    ],
  };
}

const pemOf = (chain: readonly Made[]) => chain.map(({ pem }) => pem).join("");

/** Adds the organization's endpoints. Names under `.example` do not resolve, so their certificates are reported. */
export async function watchHosts(by: Principal, when: When, now: number, done: Done): Promise<void> {
  const { root, all } = await hosts();
  const name = "Northwind’s own CA";
  const store = await done(when(80, 9), by, { action: "certificate_trust_store.create", body: { name } }, () =>
    createTrustStore(by, { name, pem: root.pem, is_default: false }),
  );
  for (const [index, { name: host, port = 443, tags, serves, before }] of all.entries()) {
    const at = when(80, 9.2 + index * 0.05);
    const body = { host, port, tags, reported: true, trust_store_id: store.id, interval_seconds: REPORTED_EVERY_S };
    const { id } = await done(at, by, { action: "certificate_endpoint.create", body }, () =>
      createCertificateEndpoint(by, contract.createCertificateEndpoint.body.parse(body)),
    );
    await db().certificateEndpoint.updateMany({
      where: { organizationId: by.organizationId, id },
      data: { createdAt: new Date(at) },
    });
    for (const [nth, chain] of [before, serves].entries()) {
      if (chain === undefined) continue;
      // The night before, like a script that runs once a day.
      const reportedAt = Math.min(when(1 - nth, 0.5), now - 60_000) + index * 700;
      const pem = pemOf(chain);
      await done(reportedAt, by, { action: "certificate_endpoint.report", id, body: { pem } }, () =>
        reportCertificateEndpoint(by, { id, pem }),
      );
    }
  }
}

/** Reports the same certificates again, as a daily script would, so that a demonstration that runs for days stays current. */
export async function reportAgain(): Promise<void> {
  const endpoints = await db().certificateEndpoint.findMany({
    where: { organization: { demonstration: true }, reported: true },
    select: { organizationId: true, id: true, organization: { select: { plan: true } } },
  });
  for (const { organizationId, id, organization } of endpoints) {
    const watched = await readEndpointToCheck(organizationId, id);
    const chain = watched === null ? [] : await readServedChain(watched);
    if (chain.length === 0) continue;
    const pem = writePem(chain.map(parseCertificate));
    const principal = systemPrincipal(organizationId);
    const retentionDays = auditRetentionDays(organization.plan);
    await withAuditEvent({ action: "certificate_endpoint.report", principal, retentionDays }, () =>
      reportCertificateEndpoint(principal, { id, pem }),
    );
  }
}

import {
  type CertificateOptions,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import { withAuditEvent } from "@/lib/audit-logs/write/commit-event";
import * as contract from "@/lib/certificates/contract";
import { createCertificateEndpoint } from "@/lib/certificates/endpoints/create-endpoint";
import { reportCertificateEndpoint } from "@/lib/certificates/endpoints/report-endpoint";
import { readEndpointToCheck, readServedChain } from "@/lib/certificates/record/endpoint-to-check";
import type { renewalFields } from "@/lib/certificates/renewal-fields";
import { createTrustStore } from "@/lib/certificates/trust-stores/create-trust-store";
import { writePem } from "@/lib/certificates/x509/uploaded-pem";
import { parseCertificate } from "@/lib/certificates/x509/x509";
import { db } from "@/lib/db/app";
import { type Principal, systemPrincipal } from "@/lib/http/principal";
import { auditRetentionDays } from "@/lib/plans";
import { DAY_MS } from "@/lib/time/units";
import { evaluateState } from "@/server/demo/alerts";
import { setClock } from "@/server/demo/clock";
import type { Done, Step, When } from "@/server/demo/story";

const REPORTED_EVERY_S = 86_400;

/** A host of the demonstration, and the chains that it served: each until it was replaced by the next. */
interface Host {
  name: string;
  port?: number;
  tags: string[];
  addedDaysAgo: number;
  serves: readonly { sinceDays: number; chain: readonly TestCertificate[] }[];
}

type Renewal = { [Field in keyof typeof renewalFields]?: string };

/** Who renews the certificates, and how: nobody has said so of the others. */
const renewals: Readonly<Record<string, Renewal>> = {
  shop: {
    owner: "Shop team",
    renewal_method: "manual",
    renewal_note: "Bought from a reseller: Grace has the login.",
    renewal_link: "https://wiki.northwind.example/certificates/shop",
  },
  intranet: { owner: "Office IT", renewal_method: "manual" },
  www: { owner: "Shop team", renewal_method: "acme" },
  api: { owner: "Platform team", renewal_method: "acme" },
  login: { owner: "Platform team", renewal_method: "acme" },
  status: { owner: "Platform team", renewal_method: "acme" },
  cdn: { owner: "Platform team", renewal_method: "cloud", renewal_link: "https://console.northwind.example/cdn" },
  printer: { owner: "Office IT", renewal_method: "other", renewal_note: "The vendor’s own certificate." },
};

/** Runs `work` as a request of the script that reports certificates, with its audit event. */
type Reported = (at: number, id: string, pem: string, work: () => Promise<unknown>) => Promise<void>;

/** The hosts and their chains: most are renewed in time, one certificate expires in six days without a renewal, one has expired. */
async function hosts(): Promise<{ root: TestCertificate; all: Host[] }> {
  const years = { ca: true, fromDays: -400, untilDays: 3250 };
  const root = await makeCertificate({ name: "Northwind Root", ...years });
  const intermediate = await makeCertificate({ name: "Northwind Intermediate", issuer: root, ...years });
  const of = async (name: string, overrides: Partial<CertificateOptions>): Promise<TestCertificate[]> => [
    await makeCertificate({ name, sans: [name], issuer: intermediate, ...overrides }),
    intermediate,
  ];
  /** Certificates of 90 days; each is replaced by the next on the day on which that begins. */
  const renewed = async (
    name: string,
    tags: string[],
    addedDaysAgo: number,
    begun: readonly number[],
  ): Promise<Host> => ({
    ...{ name, tags, addedDaysAgo },
    serves: await Promise.all(
      begun.map(async (fromDays) => ({
        sinceDays: -fromDays,
        chain: await of(name, { fromDays, untilDays: fromDays + 90 }),
      })),
    ),
  });
  const hook = "hooks.northwind.example";
  const printer = "printer.northwind.example";
  const [incomplete] = await of(hook, { fromDays: -30, untilDays: 60 });
  const own = await makeCertificate({ name: printer, sans: [printer], fromDays: -400, untilDays: 3250 });
  return {
    root,
    all: [
      await renewed("shop.northwind.example", ["production", "team:shop"], 80, [-83.5]),
      await renewed("intranet.northwind.example", ["office", "team:it"], 76, [-92]),
      await renewed("www.northwind.example", ["production", "team:shop"], 69, [-70, -1]),
      ...(await Promise.all(
        ["api", "login", "status", "cdn"].map((label, at) =>
          renewed(`${label}.northwind.example`, ["production", "team:platform"], 78 - at * 7, [
            -79 - at * 4,
            -19 - at * 4,
          ]),
        ),
      )),
      {
        name: hook,
        tags: ["production", "team:platform"],
        addedDaysAgo: 28,
        serves: incomplete ? [{ sinceDays: 30, chain: [incomplete] }] : [],
      },
      {
        name: printer,
        port: 8443,
        tags: ["office", "team:it"],
        addedDaysAgo: 41,
        serves: [{ sinceDays: 400, chain: [own] }],
      },
    ],
  };
}

const pemOf = (chain: readonly TestCertificate[]) => chain.map(({ pem }) => pem).join("");

/** What a host served a number of days ago. */
const servedBy = ({ serves }: Host, daysAgo: number) =>
  serves.findLast(({ sinceDays }) => sinceDays >= daysAgo)?.chain ?? [];

/** Adds the organization's endpoints. Names under `.example` do not resolve, so a script reports their certificates every night. */
export async function watchHosts(
  by: Principal,
  when: When,
  now: number,
  done: Done,
  reported: Reported,
): Promise<Step[]> {
  // Certificates are made relative to the present.
  setClock(now);
  const { root, all } = await hosts();
  const name = "Northwind’s own CA";
  let storeId = "";
  const ids = new Map<Host, string>();
  const report = async (host: Host, at: number) => {
    const id = ids.get(host);
    if (id === undefined) return;
    const pem = pemOf(servedBy(host, (now - at) / DAY_MS));
    await reported(at, id, pem, () => reportCertificateEndpoint(by, { id, pem }));
  };
  const add = async (host: Host, at: number) => {
    const { name, port = 443, tags } = host;
    const body = {
      ...{ host: name, port, tags, reported: true, trust_store_id: storeId, interval_seconds: REPORTED_EVERY_S },
      ...renewals[name.replace(/\..*/, "")],
    };
    const { id } = await done(at, by, { action: "certificate_endpoint.create", body }, () =>
      createCertificateEndpoint(by, contract.createCertificateEndpoint.body.parse(body)),
    );
    ids.set(host, id);
    await report(host, at + 240_000);
    await evaluateState(by.organizationId);
  };
  const reportAll = async (at: number) => {
    for (const [index, host] of all.entries()) await report(host, at + index * 700);
    await evaluateState(by.organizationId);
  };
  const stored = when(80, 9);
  const addStore = async () => {
    const { id } = await done(stored, by, { action: "certificate_trust_store.create", body: { name } }, () =>
      createTrustStore(by, { name, pem: root.pem, is_default: false }),
    );
    storeId = id;
  };
  return [
    { at: stored, run: addStore },
    ...all.map((host) => {
      const at = when(host.addedDaysAgo, 9.2);
      return { at, run: () => add(host, at) };
    }),
    // In the night, or a minute ago if the last night has just begun.
    ...Array.from({ length: 80 }, (_, daysAgo) => {
      const at = Math.min(when(daysAgo, 0.5), now - 60_000);
      return { at, run: () => reportAll(at) };
    }),
  ];
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

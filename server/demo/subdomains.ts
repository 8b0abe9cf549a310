import { auditedTransaction } from "@/lib/audit-logs/write/audited-transaction";
import { recordChanges } from "@/lib/audit-logs/write/changes";
import { db } from "@/lib/db/app";
import type { Principal } from "@/lib/http/principal";
import { newIdAt } from "@/lib/ids";
import { recordedDomain } from "@/lib/subdomains/domain";
import { newChallenge } from "@/lib/subdomains/proof";
import { recordFound } from "@/lib/subdomains/record-found";
import { reviewSubdomains } from "@/lib/subdomains/review-subdomains";
import type { Found } from "@/lib/subdomains/sources/source";
import { DAY_MS } from "@/lib/time/units";
import { evaluateState } from "@/server/demo/alerts";
import type { Done, Step, When } from "@/server/demo/story";

const DOMAIN = "northwind.example";
const SOURCES = ["ct_search", "dns"] as const;
const EXPECTED = ["Let's Encrypt"];
/** The searches must not be asked about a fictional domain: no run of its sources begins before. */
const HELD_UNTIL = new Date("2100-01-01T00:00:00Z");
const LETS_ENCRYPT = "C=US, O=Let's Encrypt, CN=R11";
const FOUND_DAYS_AGO = 33;

const at = (label: string) => `${label}.${DOMAIN}`;

/** Certificates of the domain in transparency logs: names, begin and end in days before today, issuer. */
const issued: readonly { names: string[]; from: number; until: number; issuer: string }[] = [
  { names: [at("shop"), at("www")], from: 70, until: -20, issuer: LETS_ENCRYPT },
  { names: [at("shop-preview")], from: 41, until: -49, issuer: LETS_ENCRYPT },
  { names: ["*.dev".concat(`.${DOMAIN}`)], from: 55, until: -35, issuer: LETS_ENCRYPT },
  { names: [at("summer-sale")], from: 410, until: 320, issuer: LETS_ENCRYPT },
];
/** Of an authority that nobody at Northwind uses, a few days ago. */
const unexpected = { names: [at("vpn")], from: 4, until: -86, issuer: "C=XX, O=Fabrikam Trust, CN=Fabrikam DV CA 2" };

const resolved: Readonly<Record<string, string>> = {
  [at("api")]: "192.0.2.81",
  [at("cdn")]: "192.0.2.82",
  [at("grafana")]: "192.0.2.90",
  [at("login")]: "192.0.2.83",
  [at("mail")]: "192.0.2.25",
  [at("shop")]: "192.0.2.80",
  [at("shop-preview")]: "192.0.2.86",
  [at("status")]: "192.0.2.84",
  [at("vpn")]: "192.0.2.91",
  [at("www")]: "192.0.2.80",
};

/** Adds and verifies the domain, whose names are then found; a month later somebody unknown has a certificate for one of them. */
export function watchDomain(by: Principal, when: When, done: Done): Step[] {
  const { organizationId } = by;
  const added = when(FOUND_DAYS_AGO, 10.1);
  // Not `newId`, whose ids ascend: one of the present would let all later ones be of the present.
  const id = newIdAt(added);
  const verified = when(FOUND_DAYS_AGO, 10.6);
  const found = when(FOUND_DAYS_AGO, 10.7);
  const reviewed = when(FOUND_DAYS_AGO, 11.2);
  const again = when(3, 4.3);
  const names = Object.entries(resolved);
  const early = names.filter(([name]) => !unexpected.names.includes(name));
  const addresses = (some: typeof names): Found => ({
    names: some.map(([name, address]) => ({ name, notAfter: null, addresses: [address] })),
    ...{ issuances: [], place: null },
  });
  const body = { name: DOMAIN, expected_issuers: EXPECTED, sources: [...SOURCES] };
  return [
    { at: added, run: () => done(added, by, { action: "domain.create", body }, () => add(organizationId, id)) },
    { at: verified, run: () => done(verified, by, { action: "domain.verify", id }, () => verify(organizationId, id)) },
    {
      at: found,
      run: async () => {
        await record(organizationId, id, "ct_search", found, certificates(issued, when));
        await record(organizationId, id, "dns", found, addresses(early));
      },
    },
    {
      at: reviewed,
      run: async () => {
        const old = await db().subdomain.findFirstOrThrow({ where: { organizationId, name: at("summer-sale") } });
        const ask = { action: "ignore" as const, ids: [old.id] };
        await done(reviewed, by, { action: "subdomain.review", body: ask }, () => reviewSubdomains(by, ask));
      },
    },
    {
      at: again,
      run: async () => {
        await record(organizationId, id, "ct_search", again, certificates([unexpected], when));
        await record(organizationId, id, "dns", again, addresses(names));
        await evaluateState(organizationId);
        await discoverAgain();
      },
    },
  ];
}

/** As the verb does, which refuses the domain: nobody can register a name under `.example`. */
async function add(organizationId: string, id: string): Promise<void> {
  const now = new Date();
  const accounting = { unauthorizedAfterHours: null, authorizedIssuers: [], authorizedKeys: [] };
  const fields = { intervalHours: 24, expectedIssuers: EXPECTED, ...accounting };
  await auditedTransaction(async (tx, event) => {
    await tx.domain.create({
      data: {
        organizationId,
        ...{ id, name: DOMAIN, challenge: newChallenge(), ...fields, createdAt: now, updatedAt: now },
        sources: { create: SOURCES.map((source) => ({ source, heldUntil: HELD_UNTIL })) },
      },
    });
    event.resource("domain", id);
    recordChanges(event, DOMAIN, null, recordedDomain(fields, SOURCES));
  });
}

/** As the verb does once the TXT record is found. */
async function verify(organizationId: string, id: string): Promise<void> {
  const provenAt = new Date();
  await auditedTransaction(async (tx, event) => {
    const where = { organizationId_id: { organizationId, id } };
    await tx.domain.update({ where, data: { provenAt, proofCheckedAt: provenAt } });
    event.resource("domain", id);
    recordChanges(event, DOMAIN, { proven_at: null }, { proven_at: provenAt.toISOString() });
  });
}

function certificates(some: typeof issued, when: When): Found {
  const dates = ({ from, until }: (typeof issued)[number]) => ({
    notBefore: new Date(when(from, 3)),
    notAfter: new Date(when(until, 3)),
  });
  return {
    names: some.flatMap((each) =>
      each.names.map((name) => ({ name, notAfter: dates(each).notAfter, addresses: null })),
    ),
    issuances: some.map((each) => ({
      names: each.names,
      issuer: each.issuer,
      revoked: null,
      publicKeySha256: null,
      ...dates(each),
    })),
    place: null,
  };
}

/** Records what a source found at a time in the past; the database knows only the present. */
async function record(
  organizationId: string,
  domainId: string,
  source: (typeof SOURCES)[number],
  time: number,
  found: Found,
): Promise<void> {
  const before = new Date(time);
  await recordFound({ organizationId, domainId, source, leasedUntil: null }, found);
  const seen = { organizationId, domainId, firstSeenAt: { gt: new Date(time + DAY_MS) } };
  await db().subdomain.updateMany({ where: seen, data: { firstSeenAt: before } });
  await db().issuance.updateMany({
    where: { ...seen, unexpectedSince: { not: null } },
    data: { unexpectedSince: before },
  });
  await db().issuance.updateMany({ where: seen, data: { firstSeenAt: before } });
}

/**
 * Lets the sources have run within a day, so that a demonstration that runs for days stays current. Ends the leases that recording
 * began: the worker would repeat the runs after them.
 */
export async function discoverAgain(): Promise<void> {
  await db().$executeRaw`
    UPDATE domain_sources s SET last_started_at = now(), last_finished_at = now(), last_success_at = now(), error = NULL,
      failures = 0, leased_until = NULL, next_run_at = now() + interval '1 day', held_until = ${HELD_UNTIL},
      names = (SELECT count(*) FROM subdomains n
        WHERE n.organization_id = s.organization_id AND n.domain_id = s.domain_id AND s.source = ANY (n.sources))
    FROM domains d JOIN organizations o ON o.id = d.organization_id
    WHERE d.organization_id = s.organization_id AND d.id = s.domain_id AND o.demonstration AND d.name = ${DOMAIN}
      AND d.proven_at IS NOT NULL AND (s.leased_until IS NOT NULL OR s.next_run_at NOT BETWEEN now() + interval '1 hour' AND now() + interval '2 days')`;
}

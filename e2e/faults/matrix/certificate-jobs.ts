import { expect } from "vitest";
import type { Give } from "@/e2e/faults/work";
import { setSteady } from "@/e2e/support/agent";
import { newOrganization, type Organization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { ACME_AUTHORITY, acmeCertificate } from "@/e2e/support/stand-ins/acme";
import { arrange, askedAbout, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { makeAuthority, makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { recordCertificates } from "@/lib/certificates/record/record-certificates";
import { parseCertificate } from "@/lib/certificates/x509/x509";

const SOME = 5;
const authority = makeAuthority(ACME_AUTHORITY);
/** Their endpoints are out of reach, so they are not the tenant's. */
let owner: Promise<Organization> | undefined;

/** Adds certificates that endpoints serve; returns their ids in the same order. */
async function serve(
  server: Sealwatch,
  all: readonly TestCertificate[],
): Promise<{ organizationId: string; ids: string[] }> {
  owner ??= newOrganization(server);
  const { id: organizationId } = await owner;
  const run = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "app", text, values);
  const certificates = all.map(({ der }) => parseCertificate(der));
  const at = new Date();
  const idOf = await recordCertificates(
    run,
    certificates.map((certificate) => ({ organizationId, certificate, isOwn: true, at })),
  );
  const ids = certificates.map((certificate) => idOf(organizationId, certificate));
  // Not through the API, which checks the endpoint itself.
  await run(
    `INSERT INTO certificate_endpoints (organization_id, id, host, port, connect_to, served_chain, certificate_id, next_check_at,
       created_at, updated_at)
     SELECT $1, gen_random_uuid(), 'serves-' || id || '.test', 1, '127.0.0.1', '{}', id, now() + interval '1 year', now(), now()
     FROM unnest($2::uuid[]) AS id`,
    [organizationId, ids],
  );
  return { organizationId, ids };
}

/** Certificates in use whose authority was not asked yet. */
export const askRenewals: Give = async ({ server }) => {
  const { intermediate } = await authority;
  const window = { start: "2099-01-01T00:00:00.000Z", end: "2099-01-02T00:00:00.000Z" };
  const acmeCertificates = Array.from({ length: SOME }, acmeCertificate);
  await arrange(server, { acme: Object.fromEntries(acmeCertificates.map(({ certId }) => [certId, { window }])) });
  const made = await Promise.all(
    acmeCertificates.map(({ overrides }) => makeCertificate({ name: "renewed", issuer: intermediate, ...overrides })),
  );
  const { organizationId, ids } = await serve(server, made);
  const due =
    "INSERT INTO certificate_renewals (organization_id, id, next_check_at) SELECT $1, unnest($2::uuid[]), now()";
  await query(server, "app", due, [organizationId, ids]);
  const known = () =>
    query(
      server,
      "app",
      `SELECT followed->'window' AS window, error FROM certificate_renewals
       WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND answered_at IS NOT NULL`,
      [organizationId, ids],
    );
  return {
    isDone: async () => (await known()).length === SOME,
    async verify(meaning) {
      expect(await known()).toEqual(acmeCertificates.map(() => ({ window, error: null })));
      if (meaning !== "goes on") return;
      for (const { certId } of acmeCertificates) expect(await askedAbout(server, certId)).toHaveLength(1);
    },
  };
};

/** Names in certificates whose CAA records were not read yet. */
export const readRecords: Give = async ({ server }) => {
  const names = Array.from({ length: SOME }, newDomainName);
  const caa = [{ tag: "issue", value: "ca.example" }];
  await arrange(server, { zones: Object.fromEntries(names.map((name) => [name, { caa }])) });
  const made = await Promise.all(names.map((name) => makeCertificate({ name, sans: [name] })));
  const { organizationId } = await serve(server, made);
  const due = `INSERT INTO certificate_names (organization_id, id, name, next_check_at)
    SELECT $1, gen_random_uuid(), unnest($2::text[]), now()`;
  await query(server, "app", due, [organizationId, names]);
  const known = () =>
    query(
      server,
      "app",
      `SELECT reading->'records'->0->>'value' AS value, before, error FROM certificate_names
       WHERE organization_id = $1 AND name = ANY ($2::text[]) AND answered_at IS NOT NULL`,
      [organizationId, names],
    );
  return {
    isDone: async () => (await known()).length === SOME,
    async verify() {
      expect(await known()).toEqual(names.map(() => ({ value: "ca.example", before: null, error: null })));
    },
  };
};

/** Certificates in the transparency log that were handed in before. */
export const accountForIssued: Give = async ({ server, tenant, domain }) => {
  const made = await Promise.all(
    Array.from({ length: SOME }, () =>
      makeCertificate({ name: newDomainName(), sans: [newDomainName()], fromDays: 0 }),
    ),
  );
  const at = new Date();
  const certificates = made.map(({ der }) => parseCertificate(der));
  const run = <Row extends object>(text: string, values: unknown[]) => query<Row>(server, "app", text, values);
  await recordCertificates(
    run,
    certificates.map((certificate) => ({ organizationId: tenant.id, certificate, isOwn: true, at })),
  );
  const keys = certificates.map(({ publicKeySha256 }) => publicKeySha256);
  await run(
    `UPDATE certificates SET obtained_at = now()
     WHERE organization_id = $1 AND encode(public_key_sha256, 'hex') = ANY ($2::text[]) RETURNING id`,
    [tenant.id, keys],
  );
  await run(
    `INSERT INTO issuances (organization_id, id, domain_id, key, names, issuer, not_before, not_after, sources, first_seen_at,
       public_key_sha256)
     SELECT $1, gen_random_uuid(), d.id, decode(key, 'hex'), ARRAY[d.name], 'CN=Any', now(), now() + interval '90 days', '{ct_search}',
       now(), decode(key, 'hex')
     FROM domains d, unnest($3::text[]) AS key WHERE d.organization_id = $1 AND d.name = $2`,
    [tenant.id, domain.name, keys],
  );
  const text = `SELECT authorized_by FROM issuances
    WHERE organization_id = $1 AND encode(public_key_sha256, 'hex') = ANY ($2::text[]) AND authorized_by IS NOT NULL`;
  const accounted = () => run<{ authorized_by: string }>(text, [tenant.id, keys]);
  return {
    isDone: async () => (await accounted()).length === SOME,
    async verify() {
      expect(await accounted()).toEqual(Array(SOME).fill({ authorized_by: "key" }));
    },
  };
};

/** Agents that were last seen an hour ago. */
export const findSilent: Give = async ({ server }) => {
  owner ??= newOrganization(server);
  const { id: organizationId } = await owner;
  const agents = await query<{ id: string }>(
    server,
    "app",
    `INSERT INTO certificate_agents (organization_id, id, name, api_key_id, last_seen_at, created_at, updated_at)
     SELECT $1, id, id::text, id, now() - interval '1 hour', now(), now()
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2)) AS made RETURNING id`,
    [organizationId, SOME],
  );
  const found = () =>
    query(
      server,
      "app",
      `SELECT FROM certificate_agents WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND silent_since = last_seen_at`,
      [organizationId, agents.map(({ id }) => id)],
    );
  return {
    isDone: async () => {
      await setSteady(server);
      return (await found()).length === SOME;
    },
    async verify() {
      expect(await found()).toHaveLength(SOME);
    },
  };
};

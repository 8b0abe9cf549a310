import { expect } from "vitest";
import type { Organization } from "@/e2e/support/organization";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import { arrange, newDomainName, type World } from "@/e2e/support/stand-ins/small-internet";
import type { Domain } from "@/lib/subdomains/domain-contract";

/** Adds a domain, sets up the outside world of its name, and verifies the domain. */
export async function provenDomain(
  server: Sealwatch,
  { admin }: Organization,
  world: (name: string) => World,
  body: object = {},
): Promise<Domain> {
  const name = newDomainName();
  const { data } = await admin.post<Domain>("/subdomains/domains", { name, ...body });
  const { record_name, record_value } = data.proof;
  const { zones = {}, ...searches } = world(name);
  await arrange(server, { ...searches, zones: { ...zones, [record_name]: { txt: [record_value] } } });
  const proven = await admin.post<Domain>(`/subdomains/domains/${data.id}/verify`);
  expect(proven.data.proof.proven_at, proven.text).not.toBeNull();
  return proven.data;
}

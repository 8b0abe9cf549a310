import { expect } from "playwright/test";
import type { Sealwatch } from "@/e2e/support/servers/sealwatch";
import type { SignedIn } from "@/e2e/support/session";
import { arrange, newDomainName } from "@/e2e/support/stand-ins/small-internet";
import { until } from "@/e2e/support/until";
import type { Domain } from "@/lib/subdomains/domain-contract";
import { DAY_MS } from "@/lib/time/units";

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().replace(/\.\d+/, "");

/** An outside world in which a domain has names of every kind, and one search fails. */
export async function arrangeNames(sealwatch: Sealwatch, name: string): Promise<void> {
  const issuer = "C=US, O=Let's Encrypt, CN=R11";
  const current = { issuer, not_before: day(-30), not_after: day(60) };
  await arrange(sealwatch, {
    search: {
      [name]: {
        logged: [
          { names: [name, `www.${name}`], ...current },
          { names: [`*.apps.${name}`], ...current },
          { names: [`old-shop.${name}`], issuer, not_before: day(-400), not_after: day(-310) },
          { names: [`vpn.${name}`], ...current, issuer: "C=XX, O=Unheard Of, CN=Unheard Of CA 1" },
        ],
      },
    },
    publicSearch: { [name]: { raw: { status: 502, body: "Bad Gateway" } } },
    zones: {
      [name]: { a: ["192.0.2.1"] },
      [`www.${name}`]: { a: ["192.0.2.2"], aaaa: ["2001:db8::2"] },
      [`mail.${name}`]: { a: ["192.0.2.3"] },
    },
  });
}

/** Publishes a domain's TXT record. */
export async function publishProof(sealwatch: Sealwatch, { proof }: Domain): Promise<void> {
  await arrange(sealwatch, { zones: { [proof.record_name]: { txt: [proof.record_value] } } });
}

/** Gives an organization a discovered domain and one that is not yet verified. */
export async function fillDomains(
  sealwatch: Sealwatch,
  { api }: SignedIn,
): Promise<{ proven: Domain; unproven: Domain }> {
  const add = async () => {
    const body = { name: newDomainName(), expected_issuers: ["Let's Encrypt"] };
    return (await api.post<Domain>("/subdomains/domains", body)).data;
  };
  const [proven, unproven] = [await add(), await add()];
  await arrangeNames(sealwatch, proven.name);
  await publishProof(sealwatch, proven);
  expect((await api.post(`/subdomains/domains/${proven.id}/verify`)).status).toBe(200);
  expect((await api.post(`/subdomains/domains/${unproven.id}/verify`)).status).toBe(200);
  await until(
    "its names are found",
    async () => (await api.get<Domain>(`/subdomains/domains/${proven.id}`)).data.names.new === 6,
  );
  return { proven, unproven };
}

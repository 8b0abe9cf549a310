import type { CertificateOptions, TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import type { KnownCaa } from "@/lib/certificates/issuance/judge-caa";
import type { Moved } from "@/lib/certificates/issuance/renewal-window";
import type { Expectation } from "@/lib/certificates/judge/judge";
import { judgeLateness } from "@/lib/certificates/judge/judge-lateness";
import { nameTexts, type Previous } from "@/lib/certificates/judge/judge-renewal";
import type { Certificate } from "@/lib/certificates/x509/x509";
import { DAY_MS } from "@/lib/time/units";
import type { Case, FindingCases } from "@/server/testing/finding-cases";
import { parsed, type Watched } from "@/server/testing/watched-server";

const fromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const OLD: Partial<CertificateOptions> = { fromDays: -65, untilDays: 25 };

type Knowing = (
  leaf: Certificate,
  world: Watched,
  made: TestCertificate,
) => Partial<Expectation> | Promise<Partial<Expectation>>;

/** A good server, judged with additional knowledge. */
const knowing =
  (know: Knowing, overrides: Partial<CertificateOptions> = {}): Case =>
  async (world) => {
    const made = await world.authority.leaf(overrides);
    return world.check(await world.serve([made]), { expected: await know(parsed(made), world, made) });
  };

/** The previous certificate of an endpoint, replaced by `leaf` an hour ago. */
const previous = (
  { sha256: replacedBy }: Certificate,
  { sha256, publicKeySha256 }: Certificate,
  names: string[],
): Partial<Expectation> => {
  const before: Previous = { sha256, names, publicKeySha256, until: fromNow(-1 / 24), replacedBy };
  return { previous: before };
};

const newerThan = async (leaf: Certificate, { authority }: Watched, from: number): Promise<Partial<Expectation>> => {
  const { sha256, notBefore, notAfter } = parsed(await authority.leaf());
  const newer = { id: "0193", sha256, notBefore, notAfter, firstSeenAt: fromNow(-from) };
  return { newer: new Map([[leaf.sha256, newer]]) };
};

const renewal = ({ sha256 }: Certificate, moved: Moved | null): Partial<Expectation> => {
  const window = { start: fromNow(50), end: fromNow(55) };
  return { renewal: { sha256, window, moved, explanationUrl: null } };
};

const caa = (
  { sha256 }: Certificate,
  value: string,
  more: Partial<KnownCaa> = {},
  was?: string,
): Partial<Expectation> => {
  const reading = (issuer: string) => ({
    at: "good.test",
    records: [{ tag: "issue", value: issuer, critical: false }],
    accounts: [
      {
        at: "good.test",
        authority: issuer,
        uri: `https://${issuer}/1`,
        source: "caa" as const,
        wildcard: false,
        until: null,
      },
    ],
  });
  const changed = {
    before: was === undefined ? null : reading(was),
    changedAt: was === undefined ? null : fromNow(-0.1),
  };
  const names = [{ name: "good.test", reading: reading(value), ...changed }];
  return { caa: { sha256, domains: ["ca.test"], names, expectedAccounts: [], ...more } };
};

const late =
  (leads: number[]): Case =>
  async ({ authority }) => {
    const finding = judgeLateness(parsed(await authority.leaf({ fromDays: -60, untilDays: 30 })), leads, new Date());
    return finding === null ? [] : [finding];
  };

/** Findings of a good server that follow from additional knowledge or expectations. */
export const knowledgeCases = {
  renewal_overdue: { bad: knowing(() => ({ newer: new Map() }), OLD), good: knowing(() => ({ newer: new Map() })) },
  renewal_later_than_usual: { bad: late([0.5, 0.5, 0.5]), good: late([0.3, 0.3, 0.3]) },
  renewal_moved_forward: {
    bad: knowing((leaf) => {
      const to = { start: fromNow(-1), end: fromNow(0) };
      return renewal(leaf, { from: { start: fromNow(50), end: fromNow(55) }, to, at: new Date() });
    }),
    good: knowing((leaf) => renewal(leaf, null)),
  },
  renewed_not_deployed: {
    bad: knowing((leaf, world) => newerThan(leaf, world, 2), OLD),
    good: knowing(() => ({ newer: new Map() }), OLD),
  },
  caa_forbids_renewal: {
    bad: knowing((leaf) => caa(leaf, "other.test")),
    good: knowing((leaf) => caa(leaf, "ca.test")),
  },
  caa_changed: {
    bad: knowing((leaf) => caa(leaf, "ca.test", {}, "other.test")),
    good: knowing((leaf) => caa(leaf, "ca.test")),
  },
  account_unexpected: {
    bad: knowing((leaf) => caa(leaf, "ca.test", { expectedAccounts: ["https://ca.test/2"] })),
    good: knowing((leaf) => caa(leaf, "ca.test", { expectedAccounts: ["https://ca.test/1"] })),
  },
  root_distrusted: {
    bad: knowing((_leaf, world) => ({ trust: world.publicStore(fromNow(-30)) })),
    good: knowing((_leaf, world) => ({ trust: world.publicStore(fromNow(30)) })),
  },
  lifetime_exceeds_policy: {
    bad: knowing((_leaf, world) => ({ trust: world.publicStore() }), { untilDays: 400 }),
    good: knowing((_leaf, world) => ({ trust: world.publicStore() })),
  },
  issuer_unexpected: {
    bad: knowing(() => ({ expectedIssuers: ["Somebody"] })),
    good: knowing(() => ({ expectedIssuers: ["Watched Intermediate"] })),
  },
  pin_mismatch: {
    bad: knowing(() => ({ pins: [Buffer.alloc(32).toString("base64")] })),
    good: knowing(({ publicKeySha256 }) => ({ pins: [Buffer.from(publicKeySha256 ?? "", "hex").toString("base64")] })),
  },
  certificate_changed: {
    bad: knowing(async (leaf, { authority }) => previous(leaf, parsed(await authority.leaf()), ["good.test"])),
    good: knowing(async (leaf, { authority }) => previous(parsed(await authority.leaf()), leaf, ["good.test"])),
  },
  names_removed: {
    bad: knowing(async (leaf, { authority }) =>
      previous(leaf, parsed(await authority.leaf()), ["good.test", "gone.test"]),
    ),
    good: knowing(async (leaf, { authority }) => {
      const before = parsed(await authority.leaf());
      return previous(leaf, before, nameTexts(before));
    }),
  },
  key_reused: {
    bad: knowing(async (leaf, { authority }, made) =>
      previous(leaf, parsed(await authority.leaf({ keysOf: made })), ["good.test"]),
    ),
    good: knowing(async (leaf, { authority }) => previous(leaf, parsed(await authority.leaf()), ["good.test"])),
  },
} satisfies Partial<FindingCases>;

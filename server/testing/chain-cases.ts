import "reflect-metadata";
import { KeyUsageFlags } from "@peculiar/x509";
import {
  type CertificateOptions,
  makeCertificate,
  type TestCertificate,
} from "@/e2e/support/stand-ins/test-certificates";
import type { FindingCode } from "@/lib/certificates/findings";
import type { FindingCases } from "@/server/testing/finding-cases";
import type { Watched } from "@/server/testing/watched-server";

const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const UNKNOWN = { oid: "1.2.3.4", critical: true, hex: "0500" };
/** Name constraints: only `bad.test`; only `good.test`; only directory names with the organization "Other". */
const ONLY_BAD = { oid: "2.5.29.30", critical: true, hex: "300ea00c300a820862 61642e74657374".replaceAll(" ", "") };
const ONLY_GOOD = { oid: "2.5.29.30", critical: true, hex: "300fa00d300b8209676f6f642e74657374" };
const ONLY_OTHER = {
  oid: "2.5.29.30",
  critical: true,
  hex: "3018a0163014a4123010310e300c060355040a0c054f74686572",
};

/** Lets OpenSSL serve weak certificates. */
const WEAK = { ciphers: "DEFAULT@SECLEVEL=0" };

type Chain = (world: Watched) => Promise<TestCertificate[]>;

/** Served chains, under the root of the world. */
const served = (bad: Chain, good: Chain): FindingCases[FindingCode] => ({
  bad: async (world) => world.check(await world.serve(await bad(world), WEAK)),
  good: async (world) => world.check(await world.serve(await good(world))),
});

const leaf =
  (overrides: Partial<CertificateOptions> = {}): Chain =>
  async ({ authority }) => [await authority.leaf(overrides)];

/** A leaf of an intermediate with such a certificate. */
const below =
  (overrides: Partial<CertificateOptions>): Chain =>
  async ({ authority }) => {
    const issuer = await makeCertificate({
      name: "Issuer",
      ca: true,
      issuer: authority.root,
      untilDays: 1825,
      ...overrides,
    });
    return [await authority.leaf({ issuer }), issuer];
  };

const { keyCertSign, cRLSign, dataEncipherment, digitalSignature } = KeyUsageFlags;

/** Findings that follow from the served certificates and a trusted root alone. */
export const chainCases = {
  expired: served(leaf({ fromDays: -100, untilDays: -10 }), leaf()),
  not_yet_valid: served(leaf({ fromDays: 1 }), leaf()),
  expires_soon: served(leaf({ fromDays: -85, untilDays: 5 }), leaf()),
  chain_misordered: served(
    async ({ authority }) => [await authority.leaf(), authority.root, authority.intermediate],
    async ({ authority }) => [await authority.leaf(), authority.intermediate, authority.root],
  ),
  chain_extra: served(
    async ({ authority }) => [
      await authority.leaf(),
      authority.intermediate,
      await makeCertificate({ name: "Other", ca: true }),
    ],
    leaf(),
  ),
  intermediate_expires_first: served(below({ untilDays: 30 }), below({})),
  untrusted_root: served(async () => {
    const root = await makeCertificate({ name: "Stranger", ca: true, untilDays: 900 });
    return [await makeCertificate({ name: "good.test", sans: ["good.test"], issuer: root }), root];
  }, leaf()),
  self_signed: served(async () => {
    const own = await makeCertificate({ name: "good.test", sans: ["good.test"] });
    return [own, own];
  }, leaf()),
  hostname_mismatch: served(leaf({ sans: ["*.good.test"] }), leaf({ sans: ["*.test", "good.test"] })),
  san_missing: served(
    async ({ authority }) => [await makeCertificate({ name: "good.test", issuer: authority.intermediate })],
    leaf(),
  ),
  not_for_servers: served(leaf({ purposes: [CLIENT_AUTH] }), leaf({ purposes: [CLIENT_AUTH, SERVER_AUTH] })),
  wrong_key_usage: served(leaf({ keyUsages: dataEncipherment }), leaf({ keyUsages: digitalSignature })),
  ca_as_leaf: served(leaf({ ca: true, keyUsages: digitalSignature | keyCertSign }), leaf()),
  issuer_not_ca: served(below({ ca: false, keyUsages: keyCertSign | cRLSign }), below({ ca: true })),
  name_not_permitted: served(below({ extensions: [ONLY_BAD] }), below({ extensions: [ONLY_GOOD] })),
  path_too_long: served(
    async ({ authority }) => {
      const ca = { ca: true, untilDays: 900 };
      const upper = await makeCertificate({ ...ca, name: "Upper", issuer: authority.root, pathLength: 0 });
      const lower = await makeCertificate({ ...ca, name: "Lower", issuer: upper });
      return [await authority.leaf({ issuer: lower }), lower, upper];
    },
    below({ pathLength: 0 }),
  ),
  unknown_critical_extension: served(
    leaf({ extensions: [UNKNOWN] }),
    leaf({ extensions: [{ ...UNKNOWN, critical: false }] }),
  ),
  invalid_certificate: served(
    leaf({ keyUsages: null, extensions: [{ oid: "2.5.29.37", hex: "3000" }] }),
    leaf({ purposes: [SERVER_AUTH] }),
  ),
  path_refused: served(below({ extensions: [ONLY_OTHER] }), below({})),
  weak_key: served(leaf({ key: "RSA-1024" }), leaf({ key: "RSA-2048" })),
  weak_signature: served(below({ digest: "SHA-1" }), below({ digest: "SHA-384" })),
} satisfies Partial<FindingCases>;

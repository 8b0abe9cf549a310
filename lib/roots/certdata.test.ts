import "reflect-metadata";
import { expect, test } from "vitest";
import { plainExpectation } from "@/e2e/support/judged";
import { makeAuthority, makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { judge } from "@/lib/certificates/judge/judge";
import { makePublicStore } from "@/lib/certificates/trust-stores/trust-store";
import { type Certificate, parseCertificate, parsePem } from "@/lib/certificates/x509/x509";
import { isCertdata, parseCertdata } from "@/lib/roots/certdata";

const octal = (bytes: Uint8Array) => {
  const all = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`);
  return all.join("").replace(/.{64}(?=.)/g, "$&\n");
};
const octalText = (text: string) => `MULTILINE_OCTAL\n${octal(Buffer.from(text))}\nEND`;

/** A root in the notation of NSS. */
function objectsOf({ name, der }: TestCertificate, trust: string, distrustAfter: string | null): string {
  const identity = `CKA_ISSUER MULTILINE_OCTAL\n${octal(Buffer.from(name))}\nEND\nCKA_SERIAL_NUMBER MULTILINE_OCTAL\n\\002\\001\\007\nEND`;
  const distrust = distrustAfter === null ? "CK_BBOOL CK_FALSE" : octalText(distrustAfter);
  return `# Certificate "${name}"
CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE
CKA_LABEL UTF8 "${name}"
${identity}
CKA_VALUE MULTILINE_OCTAL
${octal(der)}
END
CKA_NSS_SERVER_DISTRUST_AFTER ${distrust}

CKA_CLASS CK_OBJECT_CLASS CKO_NSS_TRUST
${identity}
CKA_TRUST_SERVER_AUTH CK_TRUST ${trust}
`;
}

test("roots for servers with their dates of distrust", async () => {
  const [one, two, three] = await Promise.all(
    ["One", "Two", "Three"].map((name) => makeCertificate({ name, ca: true })),
  );
  if (!one || !two || !three) throw new Error("no roots");
  const text = [
    "BEGINDATA",
    objectsOf(one, "CKT_NSS_TRUSTED_DELEGATOR", "260415235959Z"),
    objectsOf(two, "CKT_NSS_TRUSTED_DELEGATOR", null),
    objectsOf(three, "CKT_NSS_MUST_VERIFY_TRUST", null),
  ].join("\n");
  expect([isCertdata(text), isCertdata(one.pem)]).toEqual([true, false]);
  const roots = parseCertdata(text);
  expect(roots.map(({ distrustAfter }) => distrustAfter?.toISOString() ?? null)).toEqual([
    "2026-04-15T23:59:59.000Z",
    null,
  ]);
  const names = roots.flatMap(({ pem }) => parsePem(pem).map(({ commonName }) => commonName));
  expect(names).toEqual(["One", "Two"]);
  expect(parseCertdata("CKA_CLASS CK_OBJECT_CLASS CKO_CERTIFICATE\nCKA_VALUE MULTILINE_OCTAL\n\\060")).toEqual([]);
});

test("a certificate that its root issued after the date is critical, unless it has a path to another root", async () => {
  const day = 86_400_000;
  const [authority, other] = await Promise.all([
    makeAuthority("Old"),
    makeCertificate({ name: "New Root", ca: true, untilDays: 900 }),
  ]);
  const cross = await makeCertificate({
    name: "Old Intermediate",
    ca: true,
    issuer: other,
    keysOf: authority.intermediate,
    untilDays: 900,
  });
  const parsed = (made: TestCertificate) => parseCertificate(made.der);
  const [root, another] = [parsed(authority.root), parsed(other)];
  const codes = (chain: [Certificate, ...Certificate[]], days: number) => {
    const trust = makePublicStore([
      { certificate: root, distrustAfter: new Date(Date.now() + days * day) },
      { certificate: another, distrustAfter: null },
    ]);
    const timings = { dnsMs: null, connectMs: null, tlsMs: null };
    const common = { observedAt: new Date(), addresses: [], address: null, timings, protocol: null, staple: undefined };
    const seen = { ...common, cipher: "TLS_AES_128_GCM_SHA256", chain };
    return judge([{ outcome: "served", ...seen }], plainExpectation(trust)).map(({ code }) => code);
  };
  const leaf = parsed(await authority.leaf({ fromDays: -10, untilDays: 80 }));
  const intermediate = parsed(authority.intermediate);
  expect(codes([leaf, intermediate], -5)).toEqual([]);
  expect(codes([leaf, intermediate], -15)).toEqual(["root_distrusted"]);
  expect(codes([leaf, intermediate, parsed(cross)], -15)).not.toContain("root_distrusted");
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { differences } from "@/e2e/certificates/suites/differences";
import { readSuites, type SuiteCase } from "@/e2e/certificates/suites/read-suites";
import { type Verdict, verdictOn } from "@/e2e/certificates/suites/verdict";
import { makeCertificate, type TestCertificate } from "@/e2e/support/stand-ins/test-certificates";

/** Files of public suites, which are not part of this repository; docs/contributing/certificate-suites.md says how to get them. */
const files = (process.env.CERTIFICATE_SUITES ?? "").split(",").filter((path) => path !== "");

/** A small file in each suite's format. */
async function ownFiles(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-suites-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = await makeCertificate({ name: "Root", ca: true });
  const good = await makeCertificate({ name: "good.test", sans: ["good.test"], issuer: root });
  const old = await makeCertificate({
    name: "old.test",
    sans: ["old.test"],
    issuer: root,
    fromDays: -90,
    untilDays: -30,
  });
  const limbo = (id: string, { pem }: TestCertificate, name: string, expected: string) => ({
    ...{ id, validation_kind: "SERVER", expected_result: expected, expected_peer_name: { kind: "DNS", value: name } },
    ...{ validation_time: null, max_chain_depth: null, trusted_certs: [root.pem], untrusted_intermediates: [] },
    peer_certificate: pem,
  });
  const testcases = [
    limbo("own::valid", good, "good.test", "SUCCESS"),
    limbo("own::other-name", good, "other.test", "FAILURE"),
    limbo("own::expired", old, "old.test", "FAILURE"),
    { ...limbo("own::client", good, "good.test", "FAILURE"), validation_kind: "CLIENT" },
  ];
  const base64 = ({ der }: TestCertificate) => der.toString("base64");
  const testCase = { id: 1, hostname: "good.test", certificates: [base64(good)], expected: "ACCEPT" };
  const contents = [{ testcases }, { trustRoot: base64(root), suites: { own: { testCases: [testCase] } } }];
  return contents.map((content, at) => {
    const path = join(folder, `${at}.json`);
    writeFileSync(path, JSON.stringify(content));
    return path;
  });
}

/** Codes about the time left and, if a case names no host, about names: those say nothing of a client's decision. */
const NOT_REFUSED = new Set(["expires_soon", "renewal_overdue"]);

function isAsExpected({ isValid, name }: SuiteCase, { codes }: Verdict): boolean {
  const isAboutName = (code: string) => name === null && (code === "san_missing" || code === "hostname_mismatch");
  const refusals = codes.filter((code) => !NOT_REFUSED.has(code) && !isAboutName(code));
  return (refusals.length === 0) === isValid;
}

async function differing(cases: readonly SuiteCase[]): Promise<string[]> {
  const found: string[] = [];
  for (const each of cases) if (!isAsExpected(each, await verdictOn(each))) found.push(each.id);
  return found;
}

test("cases in the formats of x509-limbo and bettertls are read and judged", async () => {
  const cases = (await ownFiles()).flatMap(readSuites);
  expect(cases.map(({ id }) => id)).toEqual(["own::valid", "own::other-name", "own::expired", "bettertls::own::1"]);
  expect(await differing(cases)).toEqual([]);
  const [valid, ...others] = cases;
  expect(await differing([{ ...valid, isValid: false } as SuiteCase, ...others])).toEqual(["own::valid"]);
});

/** OpenSSL applies constraints to the common name too if all alternative names are addresses; `path_refused` says so. */
const isRefusedByCommonName = ({ id, isValid }: SuiteCase) => isValid && id.startsWith("bettertls::nameconstraints::");

for (const path of files) {
  test(`of ${path} only the cases in differences.ts are judged otherwise than expected`, async () => {
    const cases = readSuites(path);
    const found = await differing(cases);
    const known = Object.values(differences).flat();
    const stricter = new Set(cases.filter(isRefusedByCommonName).map(({ id }) => id));
    expect(found.filter((id) => !known.includes(id) && !stricter.has(id))).toEqual([]);
    const mended = known.filter((id) => cases.some((each) => each.id === id) && !found.includes(id));
    expect(mended, "are judged as expected now").toEqual([]);
    console.log(`${path}: ${cases.length - found.length} of ${cases.length} as expected`);
  });
}

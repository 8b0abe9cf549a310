import { describe, expect, test } from "vitest";
import { FormatError } from "@/lib/sealed-log/format-error";
import { headEntry, installationEntry, UNUSED_SLOT } from "@/lib/sealed-log/heads";
import {
  installationOrigin,
  organizationOrigin,
  originHost,
  parseInstallationOrigin,
  parseOrganizationOrigin,
} from "@/lib/sealed-log/origin";
import { formatTlogProof, parseTlogProof } from "@/lib/sealed-log/tlog-proof";

const ORGANIZATION = "0199d0a2-0000-7000-8000-000000000001";

test("entries of the heads tree and of the installation's log", () => {
  const root = Buffer.alloc(32, 9);
  // SHA-256 of "abc" is an example of FIPS 180-2.
  const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const entry = headEntry({ origin: "abc", size: 0x0102030405, root });
  expect(entry.toString("hex")).toBe(`02${hash}0000000102030405${"09".repeat(32)}`);
  expect([entry.length, UNUSED_SLOT.length, Buffer.from(UNUSED_SLOT).toString("hex")]).toEqual([
    ...[73, 73, `02${"00".repeat(72)}`],
  ]);
  expect(installationEntry(7, root).toString("hex")).toBe(`030000000000000007${"09".repeat(32)}`);
});

describe("origins", () => {
  test.each([
    ["https://Sealwatch.Example/app", "sealwatch.example"],
    ["https://bücher.example:443", "xn--bcher-kva.example"],
    ["http://localhost:3000", "localhost:3000"],
    ["http://[::1]:3000/", "[::1]:3000"],
  ])("the host of %s", (url, host) => {
    expect(originHost(url)).toBe(host);
    const parts = { host, organizationId: ORGANIZATION, slot: 12, epoch: 3 };
    expect(parseOrganizationOrigin(organizationOrigin(parts))).toEqual(parts);
    expect(parseInstallationOrigin(installationOrigin(host, 2))).toEqual({ host, epoch: 2 });
  });

  test.each([
    `h/log/${ORGANIZATION}/0/0`,
    `h/log/${ORGANIZATION}/01/1`,
    `h/log/${ORGANIZATION}/9007199254740992/1`,
    `h/log/${ORGANIZATION.toUpperCase().replace("7", "A")}/0/1`,
    `h/log/${ORGANIZATION}/0/1/`,
    `h/log/${ORGANIZATION}/0/1\n`,
    "h/log/0",
    "h/log/-1",
    "/log/1",
  ])("%j is refused", (origin) => {
    expect([parseOrganizationOrigin(origin), parseInstallationOrigin(origin)]).toEqual([null, null]);
  });
});

describe("proof files", () => {
  const checkpoint = "example.com/log\n9\nAAAA\n\n— example.com/log AAAAAAA=\n";
  const proof = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  test.each([
    ["with extra data", Buffer.from("extra")],
    ["without", null],
  ])("%s", (_, extra) => {
    const text = formatTlogProof({ extra, index: 8, proof, checkpoint });
    const lines = ["c2sp.org/tlog-proof@v1", ...(extra ? ["extra ZXh0cmE="] : []), "index 8"];
    expect(text.startsWith(`${lines.join("\n")}\n`)).toBe(true);
    expect(parseTlogProof(text)).toEqual({ extra, index: 8, proof, checkpoint });
  });

  test("without hashes", () => {
    const text = formatTlogProof({ extra: null, index: 0, proof: [], checkpoint });
    expect(parseTlogProof(text)).toEqual({ extra: null, index: 0, proof: [], checkpoint });
  });

  const good = formatTlogProof({ extra: Buffer.of(1), index: 8, proof, checkpoint });
  test.each([
    ["another first line", good.replace("@v1", "@v2")],
    ["extra data that are not base64", good.replace("extra AQ==", "extra !!")],
    ["no index", good.replace("index 8\n", "")],
    ["a negative index", good.replace("index 8", "index -8")],
    ["an index with a leading zero", good.replace("index 8", "index 08")],
    ["a long hash", good.replace("AQEB", "AQEBAQEB")],
    ["no checkpoint", good.slice(0, good.indexOf("\n\n"))],
  ])("%s is refused", (_, text) => {
    expect(() => parseTlogProof(text)).toThrow(FormatError);
  });
});

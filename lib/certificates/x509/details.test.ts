import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeCertificate } from "@/e2e/support/stand-ins/test-certificates";
import { readDetails } from "@/lib/certificates/x509/details";
import { parseCertificate } from "@/lib/certificates/x509/x509";

const SUBJECT_KEY_ID = "2.5.29.14";
const AUTHORITY_KEY_ID = "2.5.29.35";
const POLICIES = "2.5.29.32";
const TIMESTAMPS = "1.3.6.1.4.1.11129.2.4.2";

async function detailsOf(...extensions: { oid: string; hex: string }[]) {
  return readDetails(parseCertificate((await makeCertificate({ name: "good.test", extensions })).der));
}

const NOTHING = { policies: [], timestamps: [], subjectKeyId: null, authorityKeyId: null };

/** A timestamp of a log whose id repeats `byte`. */
function timestamp(byte: number, at: Date, version = 0): Buffer {
  const bytes = Buffer.alloc(49, byte);
  bytes[0] = version;
  bytes.writeBigUInt64BE(BigInt(at.getTime()), 33);
  return bytes;
}

function listOf(...timestamps: Buffer[]): { oid: string; hex: string } {
  const length = (size: number) => Buffer.from([size >> 8, size & 0xff]);
  const list = Buffer.concat(timestamps.flatMap((each) => [length(each.length), each]));
  const octets = Buffer.concat([length(list.length), list]);
  return {
    oid: TIMESTAMPS,
    hex: Buffer.concat([Buffer.from([0x04, 0x82]), length(octets.length), octets]).toString("hex"),
  };
}

describe("readDetails", () => {
  test("reads nothing where there is nothing", async () => {
    expect(await detailsOf()).toEqual(NOTHING);
  });

  test("reads policies by name, others by OID, and key identifiers", async () => {
    expect(
      await detailsOf(
        { oid: POLICIES, hex: "3014 3008 0606 67810c010201 3008 0606 2a0304050607".replaceAll(" ", "") },
        { oid: SUBJECT_KEY_ID, hex: "0404deadbeef" },
        { oid: AUTHORITY_KEY_ID, hex: "30068004cafebabe" },
      ),
    ).toEqual({
      policies: ["domain_validated", "1.2.3.4.5.6.7"],
      timestamps: [],
      subjectKeyId: "deadbeef",
      authorityKeyId: "cafebabe",
    });
  });

  test("reads which log promised to publish it, and when, without versions that it does not know", async () => {
    const at = new Date("2026-07-01T12:00:00.123Z");
    const { timestamps } = await detailsOf(listOf(timestamp(7, at), timestamp(8, at, 1), timestamp(9, at)));
    const log = (byte: number) => Buffer.alloc(32, byte).toString("base64");
    expect(timestamps).toEqual([
      { logId: log(7), loggedAt: at },
      { logId: log(9), loggedAt: at },
    ]);
  });

  test.each([
    ["policies", POLICIES, "30020600"],
    ["a long list of timestamps", TIMESTAMPS, "0404ffffffff"],
    ["a short list of timestamps", TIMESTAMPS, "0403000100"],
    ["a key identifier", SUBJECT_KEY_ID, "04"],
    ["an empty key identifier", SUBJECT_KEY_ID, "0400"],
    ["an issuer's key identifier", AUTHORITY_KEY_ID, "3003800400"],
  ])("ignores %s that is malformed", async (_, oid, hex) => {
    const { policies, ...details } = await detailsOf({ oid, hex });
    expect(details).toEqual({ timestamps: [], subjectKeyId: null, authorityKeyId: null });
    expect(policies.length).toBeLessThan(2);
  });

  test("never throws, whatever the extensions contain", async () => {
    const oid = fc.constantFrom(SUBJECT_KEY_ID, AUTHORITY_KEY_ID, POLICIES, TIMESTAMPS);
    const hex = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("hex"));
    await fc.assert(
      fc.asyncProperty(oid, hex, async (each, value) => {
        const { timestamps } = await detailsOf({ oid: each, hex: value });
        for (const { loggedAt } of timestamps) expect(loggedAt.getTime()).not.toBeNaN();
      }),
      { numRuns: 100 },
    );
  });
});

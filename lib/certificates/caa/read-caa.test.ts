import { Resolver } from "node:dns/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startNameServer } from "@/e2e/support/stand-ins/name-server";
import { readCaa, readCaaInTime } from "@/lib/certificates/caa/read-caa";
import { publicNamesOf } from "@/lib/certificates/caa/read-names";

let names: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.close());

/** Waits long for an answer, which a busy machine may need, unless none comes. */
function read(name: string, timeout = 10_000) {
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([names.address]);
  return readCaa(resolver, name);
}

const issue = (value: string) => ({ tag: "issue", value, critical: false });

describe("climbs", () => {
  test("to the closest name with records, and no further", async () => {
    names.zones.set("one.com", { caa: [{ tag: "issue", value: "far.example" }] });
    names.zones.set("b.one.com", {
      caa: [
        { tag: "Issue", value: "near.example" },
        { tag: "future", value: "x", flags: 128 },
      ],
    });
    const reading = await read("a.b.one.com");
    expect(reading).toEqual({
      at: "b.one.com",
      records: [{ tag: "future", value: "x", critical: true }, issue("near.example")],
      accounts: [],
    });
    expect(names.asked.filter((asked) => asked.endsWith("CAA"))).toEqual(["a.b.one.com CAA", "b.one.com CAA"]);
    expect(await read("x.one.com")).toMatchObject({ at: "one.com", records: [issue("far.example")] });
  });

  test("to the top-level domain, and finds nothing", async () => {
    expect(await read("a.two.com")).toEqual({ at: null, records: [], accounts: [] });
    expect(names.asked).toContain("com CAA");
  });
});

test("accounts of CAA records and of persistent validations, those above only for all names below", async () => {
  names.zones.set("three.com", { caa: [{ tag: "issue", value: "ca.example; accounturi=a:1" }] });
  names.zones.set("_validation-persist.a.three.com", { txt: ["ca.example; accounturi=a:2", "another text"] });
  names.zones.set("_validation-persist.three.com", {
    txt: ["ca.example; accounturi=a:3; policy=wildcard", "ca.example; accounturi=a:4"],
  });
  const { accounts } = await read("a.three.com");
  expect(accounts.map(({ uri, source }) => [uri, source])).toEqual([
    ["a:1", "caa"],
    ["a:2", "validation_persist"],
    ["a:3", "validation_persist"],
  ]);
});

describe("a query that fails is not an answer", () => {
  test.each(["SERVFAIL", "REFUSED", "silence"] as const)("%s", async (fails) => {
    names.zones.set("four.com", { fails });
    const timeout = fails === "silence" ? 200 : undefined;
    await expect(read("a.four.com", timeout)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    names.zones.set("five.com", { caa: [{ tag: "issue", value: "ca.example" }] });
    names.zones.set("_validation-persist.five.com", { fails });
    await expect(read("five.com", timeout)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
  });
});

test("a reading that takes too long ends as a failure, and one that is stopped rejects", async () => {
  names.zones.set("six.com", { fails: "silence" });
  const patient = () => {
    const resolver = new Resolver({ timeout: 60_000, tries: 1 });
    resolver.setServers([names.address]);
    return resolver;
  };
  const stopping = new AbortController();
  expect(await readCaaInTime(patient(), "a.six.com", 50, stopping.signal)).toEqual({
    error: "the name servers did not answer in time",
  });
  const stopped = readCaaInTime(patient(), "a.six.com", 60_000, stopping.signal);
  stopping.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
});

test("only public names, once, without wildcards", () => {
  const sans = ["a.com", "*.a.com", "*.B.co.uk", "com", "intranet", "a.internal", "127.0.0.1", "email:a@b.com"];
  expect(publicNamesOf(sans)).toEqual(["a.com", "b.co.uk"]);
  expect(publicNamesOf(Array.from({ length: 80 }, (_, n) => `n${n}.com`))).toHaveLength(50);
  const deep = (labels: number) => `${"a.".repeat(labels - 2)}b.com`;
  expect(publicNamesOf([deep(12), deep(13), deep(100)])).toEqual([deep(12)]);
});

import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { firstAnswers, resolveHost } from "@/lib/network/resolve";
import { parseNetwork } from "@/lib/networks";

test("an address resolves to itself", async () => {
  expect(await resolveHost("192.0.2.7")).toEqual(["192.0.2.7"]);
  expect(await resolveHost("2001:db8::7")).toEqual(["2001:db8::7"]);
});

test("localhost is this machine, regardless of DNS", async () => {
  const addresses = await resolveHost("localhost");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^(127\.|::1$)/);
});

test("a name that cannot exist is refused with a code", async () => {
  await expect(resolveHost("no-such-name.invalid")).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
});

test("a local name with a forbidden address is refused like a name that does not exist", async () => {
  // Most machines list their own name in the hosts file, with an address of loopback or of a private network.
  const own = hostname();
  const codeOf = (host: string) => resolveHost(host).then(String, ({ code }: { code: string }) => code);
  expect(await codeOf(own)).toBe(await codeOf("no-such-machine"));
  const everywhere = ["0.0.0.0/0", "::/0"].map(parseNetwork);
  const reached = await resolveHost(own, everywhere).catch(() => []);
  for (const address of reached) expect(address).toMatch(/^[\d.]+$|:/);
});

describe("the addresses of a name", () => {
  const never = new Promise<string[]>(() => {});
  const later = (addresses: string[]) => new Promise<string[]>((done) => setImmediate(done, addresses));
  const failing = () => Promise.reject(Object.assign(new Error("no"), { code: "ENODATA" }));
  const both = (v4: Promise<string[]>, v6: Promise<string[]>) =>
    [
      { family: 4, addresses: v4 },
      { family: 6, addresses: v6 },
    ] as const;
  const NO_WAIT_FOR_6 = { 4: 60_000, 6: 0 };

  test("are those of both versions of IP, IPv4 first", async () => {
    expect(await firstAnswers(both(later(["192.0.2.1"]), later(["2001:db8::1"])))).toEqual([
      "192.0.2.1",
      "2001:db8::1",
    ]);
    expect(await firstAnswers(both(failing(), later(["2001:db8::1"])))).toEqual(["2001:db8::1"]);
    expect(await firstAnswers(both(failing(), failing()))).toBeNull();
  });

  test("are waited for longer if only those of IPv6 have come", async () => {
    const lost = both(later(["192.0.2.1"]), Promise.resolve(["2001:db8::1"]));
    expect(await firstAnswers(lost, NO_WAIT_FOR_6)).toEqual(["192.0.2.1", "2001:db8::1"]);
    expect(await firstAnswers(both(Promise.resolve(["192.0.2.1"]), never), NO_WAIT_FOR_6)).toEqual(["192.0.2.1"]);
    expect(await firstAnswers(both(never, Promise.resolve(["2001:db8::1"])), { 4: 0, 6: 60_000 })).toEqual([
      "2001:db8::1",
    ]);
  });
});

import { hostname } from "node:os";
import { expect, test } from "vitest";
import { resolveHost } from "@/lib/network/resolve";
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

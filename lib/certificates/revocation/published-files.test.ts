import "reflect-metadata";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveFiles } from "@/e2e/support/stand-ins/test-servers";
import { until } from "@/e2e/support/until";
import { PublishedFiles, redirected } from "@/lib/certificates/revocation/published-files";
import { parseNetwork } from "@/lib/networks";

const secure = new URL("https://ca.example/directory");

test("an unsigned file is not fetched without the protection that its address promises", () => {
  expect(() => redirected(secure, "http://ca.example/directory", true)).toThrow("fetch_failed");
  expect(redirected(secure, "https://other.example/", true)?.href).toBe("https://other.example/");
  expect(redirected(secure, "/new", true)?.href).toBe("https://ca.example/new");
  expect(redirected(new URL("http://ca.example/"), "http://other.example/", true)?.href).toBe("http://other.example/");
});

test("a signed file may be anywhere", () => {
  expect(redirected(secure, "http://ca.example/crl", false)?.href).toBe("http://ca.example/crl");
  expect(redirected(secure, "http://[", false)).toBeNull();
});

describe("PublishedFiles", () => {
  let server: Awaited<ReturnType<typeof serveFiles>>;
  beforeAll(async () => {
    server = await serveFiles();
  });
  afterAll(() => server.close());

  const later = (at: Date) => new Date(at.getTime() + 3_600_000);

  /** A cache of files that are out of date at once, but good for an hour. */
  const texts = () =>
    new PublishedFiles<string>(
      {
        parse: String,
        maxBytes: 1_000,
        maxKeptBytes: 10_000,
        staleAt: (_, at) => at,
        goodUntil: (_, at) => later(at),
      },
      () => ({ allowedNetworks: [parseNetwork("127.0.0.0/8")] }),
    );

  test("an organization whose files do not arrive neither takes all turns nor waits forever", async () => {
    const files = texts();
    const paths = Array.from({ length: 6 }, (_, n) => `/silent/${n}`);
    for (const path of paths) server.files.set(path, "silence");
    server.files.set("/other", Buffer.from("other"));
    const stop = new AbortController();
    const waiter = { organizationId: "hostile", signal: stop.signal };
    const silent = paths.map((path) => files.get(server.url(path), new Date(), waiter));
    await until("some are requested", () => server.asked.length >= 4);
    const { signal } = new AbortController();
    expect(await files.get(server.url("/other"), new Date(), { organizationId: "other", signal })).toBe("other");
    expect(server.asked.filter((path) => path !== "/other")).toHaveLength(4);
    stop.abort();
    for (const each of await Promise.all(silent))
      expect(each).toMatchObject({ why: "fetch_failed", detail: "no response in time" });
  });

  test("a good version is used if a newer one does not arrive in time", async () => {
    const files = texts();
    server.files.set("/list", Buffer.from("first"));
    expect(await files.get(server.url("/list"), new Date())).toBe("first");
    server.files.set("/list", "silence");
    const waiter = { organizationId: "acme", signal: AbortSignal.abort() };
    expect(await files.get(server.url("/list"), later(new Date()), waiter)).toBe("first");
  });
});

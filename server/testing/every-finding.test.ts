import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findingCodes } from "@/lib/certificates/findings";
import { findingCases } from "@/server/testing/finding-cases";
import { Watched } from "@/server/testing/watched-server";

let world: Watched;
beforeAll(async () => {
  world = await Watched.start();
});
afterAll(() => world.close());

test("every finding has a case, or a test with a database", () => {
  const elsewhere = { issuance_unauthorized: "e2e/certificates/issuances.test.ts" };
  expect([...Object.keys(findingCases), ...Object.keys(elsewhere)].sort()).toEqual([...findingCodes].sort());
  for (const [code, path] of Object.entries(elsewhere)) expect(readFileSync(path, "utf8")).toContain(code);
});

describe.each(Object.entries(findingCases))("%s", (code, { bad, good }) => {
  test("is found where it is", async () => {
    expect((await bad(world)).map((finding) => finding.code)).toContain(code);
  });

  test("is not found at the good twin", async () => {
    expect((await good(world)).map((finding) => finding.code)).not.toContain(code);
  });
});

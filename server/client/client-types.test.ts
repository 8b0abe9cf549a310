import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CLIENT_TYPES, clientDigest } from "@/server/client/client-types";

test("the client's types are those of the API; `npm run client` updates them", () => {
  const [first] = readFileSync(CLIENT_TYPES, "utf8").split("\n", 1);
  expect(first).toContain(clientDigest());
});

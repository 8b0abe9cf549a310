import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientSource } from "@/lib/openapi/client-source";

test("the published client matches the API; `npm run client` updates it", () => {
  expect(readFileSync("public/sealwatch.ts", "utf8")).toBe(clientSource());
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientSource } from "@/lib/openapi/client-source";

test("the client that is handed out is the one of this API; `npm run client` writes it anew", () => {
  expect(readFileSync("public/sealwatch.ts", "utf8")).toBe(clientSource());
});

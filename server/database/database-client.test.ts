import { expect, test } from "vitest";
import { isClientCurrent } from "@/server/database/database-client";

test("the generated database client belongs to the schema; if not, run `npm run generate`", () => {
  expect(isClientCurrent()).toBe(true);
});

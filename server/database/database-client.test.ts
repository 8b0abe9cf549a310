import { expect, test } from "vitest";
import { isClientCurrent } from "@/server/database/database-client";

test("the generated database client is that of the schema; `npm run generate` makes it so", () => {
  expect(isClientCurrent()).toBe(true);
});

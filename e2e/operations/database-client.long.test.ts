import { expect, test } from "vitest";
import { generateClient, readClient } from "@/server/database/database-client";

test("the database client in the checkout is what Prisma generates for the schema", () => {
  const [committed, generated] = [readClient(), generateClient()];
  const differing = [...new Set([...committed.keys(), ...generated.keys()])].filter(
    (file) => committed.get(file) !== generated.get(file),
  );
  expect(differing).toEqual([]);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { WEBHOOK_SCHEMA_FILE, webhookSchema } from "@/server/docs/webhook-schema";

test("the schema of webhooks in the documentation is current", () => {
  expect(readFileSync(WEBHOOK_SCHEMA_FILE, "utf8")).toBe(webhookSchema());
});

import { expect, test } from "vitest";
import * as z from "zod";
import { wordsOf } from "@/lib/text/issue-words";

const wordsFor = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(wordsOf);

test.each([
  [z.string(), 7, "must be a string"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "true", "must be true or false"],
  [z.array(z.string()), {}, "must be an array"],
  [z.strictObject({}), [], "must be an object"],
  [z.enum(["admin", "read"]), "write", "must be one of admin, read"],
  [z.literal("tls"), "tcp", "must be tls"],
  [z.uuid(), "x", "must be an id (UUID)"],
  [z.iso.datetime(), "yesterday", "must be a time in ISO 8601, such as 2026-11-21T14:31:58Z"],
  [z.string().min(2), "a", "must have at least 2 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
  [z.number().max(5), 6, "must be at most 5"],
  [z.union([z.string(), z.number()]), true, "has none of the permitted forms"],
  [z.string().max(1, "must be a letter"), "ab", "must be a letter"],
  [z.record(z.string().max(1, "is no letter"), z.string()), { ab: "" }, "has a key that is no letter"],
])("%#: %j", (schema, value, words) => {
  expect(wordsFor(schema, value)).toEqual([words]);
});

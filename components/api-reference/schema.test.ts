import { describe, expect, test } from "vitest";
import { jsonOf } from "@/components/api-reference/example";
import { fieldsOf, operations, typeWords } from "@/components/api-reference/schema";
import { channelTypes } from "@/lib/notification-channels/providers/types";

const bodyOf = (id: string) => {
  const schema = jsonOf(operations().find(({ operationId }) => operationId === id)?.requestBody);
  if (schema === undefined) throw new Error(`${id} has no body`);
  return fieldsOf(schema);
};

describe("the fields of a body", () => {
  test("that depends on a type are those of all types, with every type", () => {
    const fields = bodyOf("notification_channel_create");
    expect(fields.map(({ path }) => path).slice(0, 3)).toEqual(["type", "name", "settings"]);
    expect(fields[0]?.type).toBe(channelTypes.map((type) => `"${type}"`).join(" or "));
    expect(fields.every(({ description }) => description !== "")).toBe(true);
  });
});

test("a short list with a name is shown by its values", () => {
  expect(typeWords({ $ref: "#/components/schemas/ExpiryInterval" })).toBe('"day" or "week" or "month"');
  expect(typeWords({ $ref: "#/components/schemas/ActionFilter" })).toBe("ActionFilter");
});

import { expect, test } from "vitest";
import { BulkSlots, MAX_BYTES, MAX_CONCURRENT } from "@/lib/http/bulk-slots";

test("concurrent bulk requests per organization are limited, and a finished request frees its slot", () => {
  const slots = new BulkSlots();
  const given = Array.from({ length: MAX_CONCURRENT }, () => slots.take("o", 1));
  expect(given).not.toContain(null);
  expect(slots.take("o", 1)).toBeNull();
  expect(slots.take("p", 1)).not.toBeNull();
  given[0]?.();
  given[0]?.();
  expect(slots.take("o", 1)).not.toBeNull();
  expect(slots.take("o", 1)).toBeNull();
});

test("the total bytes of concurrent bulk bodies are limited", () => {
  const slots = new BulkSlots();
  const giveBack = slots.take("o", MAX_BYTES);
  expect(slots.take("o", 1)).toBeNull();
  giveBack?.();
  expect(slots.take("o", 1)).not.toBeNull();
});

import { expect, test } from "vitest";
import { byteaArray } from "@/lib/db/bytea-array";

test.each<[string, (Buffer | null)[], string]>([
  ["none", [], "00000000 00000000 00000011"],
  ["one", [Buffer.from("ab")], "00000001 00000000 00000011 00000001 00000001 00000002 6162"],
  [
    "a null and an empty value",
    [null, Buffer.alloc(0)],
    "00000001 00000001 00000011 00000002 00000001 ffffffff 00000000",
  ],
])("an array of %s in binary format", (_, values, hex) => {
  expect(byteaArray(values).toString("hex")).toBe(hex.replaceAll(" ", ""));
});

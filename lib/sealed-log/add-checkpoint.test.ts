import { expect, test } from "vitest";
import { parseAddCheckpoint } from "@/lib/sealed-log/add-checkpoint";

const HASH = Buffer.alloc(32, 7);
const NOTE = "example.com/log\n12\nroot\n\n— example.com/log AAAA\n";
const body = (old: string, ...hashes: string[]) => `${[old, ...hashes].join("\n")}\n\n${NOTE}`;

test("a request has the old size, the proof, and the checkpoint behind the first empty line", () => {
  const hash = HASH.toString("base64");
  expect(parseAddCheckpoint(body("old 5", hash, hash))).toEqual({ old: 5, proof: [HASH, HASH], note: NOTE });
  expect(parseAddCheckpoint(body("old 0"))).toEqual({ old: 0, proof: [], note: NOTE });
});

test.each([
  ["", "begins with a line"],
  [NOTE, "begins with a line"],
  [body("old -1"), "begins with a line"],
  [body("old 05"), "begins with a line"],
  [body("old 9999999999999999"), "begins with a line"],
  [body("old 5", "AAAA"), "has 32 bytes"],
  [body("old 5", `${HASH.toString("base64")} `), "has 32 bytes"],
  [body("old 5", ...Array.from({ length: 64 }, () => HASH.toString("base64"))), "at most 63"],
])("%j is refused", (text, why) => {
  expect(() => parseAddCheckpoint(text)).toThrow(why);
});

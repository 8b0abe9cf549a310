import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commitEventParts, decodeBody, eventLeafHash, eventParts } from "@/lib/sealed-log/leaf";

test("the example on the page of the formats is right", () => {
  const page = readFileSync("docs/sealed-log-format.md", "utf8").split(/<!-- vector:(?:begin|end) -->/)[1] ?? "";
  const event = JSON.parse(/```json\n(.*)\n```/.exec(page)?.[1] ?? "");
  const nonce = Buffer.from(Array.from({ length: 16 }, (_, index) => index));
  const body = decodeBody(event.request.body, event.request.body_encoding);
  const commitment = commitEventParts(event, body, nonce);
  const texts = Object.entries(eventParts(event, body)).map(([part, bytes]) => [part, Buffer.from(bytes).toString()]);
  const hashes = [
    ["commitment", Buffer.from(commitment).toString("hex")],
    ["leaf hash", Buffer.from(eventLeafHash(event.id, commitment)).toString("hex")],
  ];
  const rows = [...page.matchAll(/^\| ([a-z ]+) \| `(.*)` \|$/gm)].map(([, name, text]) => [name, text]);
  expect(rows).toEqual([...texts, ...hashes]);
  expect(event.occurred_at).toBe(
    new Date(Number.parseInt(event.id.replaceAll("-", "").slice(0, 12), 16)).toISOString(),
  );
});

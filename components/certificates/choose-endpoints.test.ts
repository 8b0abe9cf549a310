import { expect, test } from "vitest";
import { boardHref, isChosen, tagsOf } from "@/components/certificates/choose-endpoints";

const endpoint = {
  host: "192.0.2.7",
  port: 8443,
  sni: "shop.example.com",
  tags: ["eu", "production"],
  status: "critical" as const,
  findings: [{ code: "expired" }],
};

test("an endpoint is chosen by each of state, finding, tag and text, and by all of them together", () => {
  expect(isChosen(endpoint, {})).toBe(true);
  const all = { status: "critical", finding: "expired", tag: "eu", q: " SHOP.example" };
  expect(isChosen(endpoint, all)).toBe(true);
  expect(isChosen(endpoint, { q: "192.0.2.7:8443" })).toBe(true);
  for (const other of [{ status: "ok" }, { finding: "weak_key" }, { tag: "us" }, { q: "shop.example.org" }]) {
    expect(isChosen(endpoint, { ...all, ...other })).toBe(false);
  }
});

test("tags stand once, in order", () => {
  expect(tagsOf([{ tags: ["b", "a"] }, { tags: ["c", "a"] }])).toEqual(["a", "b", "c"]);
});

test("what is empty is not in the address", () => {
  expect(boardHref({ status: "", tag: "" })).toBe("/certificates");
  expect(boardHref({ status: "ok", tag: "" })).toBe("/certificates?status=ok");
});

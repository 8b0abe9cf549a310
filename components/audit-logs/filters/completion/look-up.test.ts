import { expect, test } from "vitest";
import { askedAbout as askedIn } from "@/components/audit-logs/filters/completion/look-up";
import { MAX_KNOWN } from "@/components/audit-logs/filters/filter-fields";
import { newSecret } from "@/lib/auth/secret";

const few = { api_key_id: [{ value: "0193a", label: "ci-deploy", secretHint: "sw_Ab…x9Zk" }], user_id: [] };
const many = {
  ...few,
  api_key_id: Array.from({ length: MAX_KNOWN }, (_, n) => ({ value: `0193${n}`, label: `key-${n}` })),
};

const askedAbout = (text: string, known: Parameters<typeof askedIn>[1]) => askedIn(text, known, true);

test("the server is asked about serial numbers, and hints that no known key has", () => {
  expect(askedAbout("Serial: 04:3A:9F:12:04:3A:9F:12", few)).toMatchObject({
    q: "043a9f12043a9f12",
    wanted: ["certificate"],
  });
  expect(askedAbout("sw_Zz…1234", few)).toMatchObject({ q: "sw_zz…1234", wanted: ["api_key_id"] });
  expect(askedAbout("key:!sw_Zz…1234", few)).toMatchObject({ q: "sw_zz…1234", isExcluded: true });
  expect(askedAbout("sw_Ab…x9Zk", few)).toBeNull();
  expect(askedAbout("user:sw_Zz…1234", few)).toBeNull();
});

test("a form, which opens no pages, asks for no serial number, and a trace id may be none", () => {
  expect(askedIn("04:3a:9f:12:04:3a:9f:12", few, false)).toBeNull();
  expect(askedAbout("4bf92f3577b34da6a3ce929d0e0e4736", few)).toMatchObject({ nothing: null });
});

test("names are asked for where the page does not know all, and none that it knows fits", () => {
  expect(askedAbout("billing", few)).toBeNull();
  expect(askedAbout("Billing", many)).toMatchObject({ q: "billing", wanted: ["api_key_id"] });
  expect(askedAbout("key:0193a,bill", many)).toMatchObject({ q: "bill", wanted: ["api_key_id"] });
  expect(askedAbout("key-7", many)).toBeNull();
  expect(askedAbout("bil", many)).toBeNull();
  expect(askedAbout("key:b", many)).toBeNull();
  expect(askedAbout("status:billing", many)).toBeNull();
});

test("nothing that may be a secret is sent", () => {
  for (const text of [newSecret(), `key:${newSecret()}`, newSecret().slice(0, 30)])
    expect(askedAbout(text, many)).toBeNull();
});

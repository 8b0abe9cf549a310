import { expect, test } from "vitest";
import { refuseUnregistrable } from "@/lib/subdomains/registrable";

test.each(["example.com", "example.co.uk", "xn--bcher-kva.de", "someone.github.io"])("%s can be registered", (name) => {
  expect(() => refuseUnregistrable(name)).not.toThrow();
});

test.each([
  ["www.example.com", "use example.com"],
  ["co.uk", "is a public suffix"],
  ["github.io", "is a public suffix"],
  ["com", "is a public suffix"],
  ["corp.internal", "must end in a public suffix"],
  ["localhost", "must end in a public suffix"],
])("%s cannot", (name, why) => {
  expect(() => refuseUnregistrable(name)).toThrow(why);
});

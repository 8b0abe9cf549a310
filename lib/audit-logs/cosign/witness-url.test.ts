import { expect, test } from "vitest";
import { witnessUrl } from "@/lib/audit-logs/cosign/witness-url";

test.each([
  ["https://witness.example", "https://witness.example"],
  ["https://Witness.Example:8443/witness/", "https://witness.example:8443/witness"],
  ["https://witness.example/witness/add-checkpoint", "https://witness.example/witness"],
  ["http://127.0.0.1:3000/witness", "http://127.0.0.1:3000/witness"],
  ["http://[::1]/w", "http://[::1]/w"],
  ["http://10.1.2.3/w", "http://10.1.2.3/w"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://sealwatch:3000/witness", "http://sealwatch:3000/witness"],
  ["http://w.internal/", "http://w.internal"],
])("%s is the prefix %s", (text, prefix) => {
  expect(witnessUrl(text)).toBe(prefix);
});

test.each([
  ["", "must be an http or https URL"],
  ["witness.example", "must be an http or https URL"],
  ["ftp://witness.example", "must be an http or https URL"],
  ["http://witness.example/witness", "must begin with https"],
  ["http://192.0.2.1.example/", "must begin with https"],
  ["http://8.8.8.8/", "must begin with https"],
  ["https://user:secret@witness.example", "must not contain a user name"],
  ["https://witness.example/?key=secret", "must not have a query"],
  ["https://witness.example/#x", "must not have a query"],
  [`https://witness.example/${"a".repeat(500)}`, "at most 500"],
])("%j is refused", (text, why) => {
  expect(() => witnessUrl(text)).toThrow(why);
});

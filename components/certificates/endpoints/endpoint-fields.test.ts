import { expect, test } from "vitest";
import { fieldsOf, sentOf, takeApart, withProtocol } from "@/components/certificates/endpoints/endpoint-fields";

test("what is not given is what the API does by itself", () => {
  expect(sentOf({ ...fieldsOf(), host: "example.com" })).toEqual({
    host: "example.com",
    port: 443,
    sni: null,
    protocol: "tls",
    connect_to: null,
    address_mode: "one",
    interval_seconds: 3600,
    tags: [],
    trust_store_id: null,
  });
});

test("an endpoint's settings come back as they were", () => {
  const endpoint = {
    id: "0193",
    host: "mail.example.com",
    port: 2525,
    sni: "mx.example.com",
    protocol: "smtp" as const,
    connect_to: "192.0.2.7",
    address_mode: "all" as const,
    interval_seconds: 600,
    tags: ["eu", "mail"],
    trust_store_id: "0194",
  };
  const { id, ...settings } = endpoint;
  expect(sentOf(fieldsOf(endpoint))).toEqual(settings);
});

test("a pasted address fills both fields, and another protocol brings its usual port", () => {
  expect(takeApart({ ...fieldsOf(), host: "https://example.com:8443/x" })).toMatchObject({
    host: "example.com",
    port: "8443",
  });
  expect(withProtocol(fieldsOf(), "smtp")).toMatchObject({ protocol: "smtp", port: "25" });
  expect(withProtocol({ ...fieldsOf(), port: "2525" }, "smtp")).toMatchObject({ port: "2525" });
});

import { expect, test } from "vitest";
import { fieldsOf, sentOf, takeApart, withProtocol } from "@/components/certificates/endpoints/endpoint-fields";

test("empty fields become the API's defaults", () => {
  expect(sentOf({ ...fieldsOf(), host: "example.com" })).toEqual({
    host: "example.com",
    port: 443,
    sni: null,
    protocol: "tls",
    connect_to: null,
    address_mode: "one",
    interval_seconds: 3600,
    tags: [],
    agent_id: null,
    owner: null,
    renewal_method: null,
    renewal_note: null,
    renewal_link: null,
  });
});

test("a new endpoint has the default trust store unless another or none is chosen", () => {
  const chosen = (trustStoreId: string) => sentOf({ ...fieldsOf(), trustStoreId });
  expect(chosen("")).toMatchObject({ trust_store_id: null });
  expect(chosen("0194")).toMatchObject({ trust_store_id: "0194" });
  expect(chosen(fieldsOf().trustStoreId)).not.toHaveProperty("trust_store_id");
});

test("an unchanged form sends the endpoint's settings", () => {
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
    agent_id: "0195",
    owner: "Mail team",
    renewal_method: "acme" as const,
    renewal_note: "Runs on mx1.",
    renewal_link: "https://wiki.example.com/mail",
  };
  const { id, ...settings } = endpoint;
  expect(sentOf(fieldsOf(endpoint))).toEqual(settings);
});

test("a pasted URL fills both fields, and another protocol sets its default port", () => {
  expect(takeApart({ ...fieldsOf(), host: "https://example.com:8443/x" })).toMatchObject({
    host: "example.com",
    port: "8443",
  });
  expect(withProtocol(fieldsOf(), "smtp")).toMatchObject({ protocol: "smtp", port: "25" });
  expect(withProtocol({ ...fieldsOf(), port: "2525" }, "smtp")).toMatchObject({ port: "2525" });
});

import { expect, test } from "vitest";
import { fieldsOf, NOT_VERIFIED, parseHeaders, sentOf, typeChange } from "@/components/uptime/form/monitor-fields";

test("headers are lines of name and value; the value may contain colons", () => {
  expect(parseHeaders("Authorization: Bearer a:b\n\n X-A:1 \nnonsense")).toEqual({
    Authorization: "Bearer a:b",
    "X-A": "1",
    nonsense: "",
  });
  expect(parseHeaders("X-A: \t\u00a0a\u00a0 \t")).toEqual({ "X-A": "\u00a0a\u00a0" });
});

test("an untouched form sends its defaults, and headers only if some were typed", () => {
  const sent = sentOf({ ...fieldsOf(undefined), name: "Site", target: " https://example.com/ " });
  expect(sent).toEqual({
    name: "Site",
    target: "https://example.com/",
    method: "GET",
    expected_status: ["2xx"],
    request_body: null,
    expected_text: null,
    forbidden_text: null,
    expected_pattern: null,
    expected_json: [],
    expected_headers: {},
    max_response_time_ms: null,
    min_certificate_days: null,
    follow_redirects: true,
    trust_store_id: null,
    verify_tls: true,
    dns: null,
    tcp: null,
    ping: null,
    ip_version: "any",
    interval_seconds: 60,
    grace_seconds: 300,
    timeout_seconds: 10,
    failure_threshold: 2,
    recovery_threshold: 1,
    tags: [],
  });
  expect(sentOf({ ...fieldsOf(undefined), headers: "A: b", tags: "x, y  z" })).toMatchObject({
    headers: { A: "b" },
    tags: ["x", "y", "z"],
  });
  expect(sentOf({ ...fieldsOf(undefined), trust: "0194" })).toMatchObject({ trust_store_id: "0194", verify_tls: true });
  expect(sentOf({ ...fieldsOf(undefined), trust: NOT_VERIFIED })).toMatchObject({
    trust_store_id: null,
    verify_tls: false,
  });
  const unverified = { ...fieldsOf(undefined), trust: NOT_VERIFIED, unusedTrustStore: "0194" };
  expect(sentOf(unverified)).toMatchObject({ trust_store_id: "0194", verify_tls: false });
  expect(sentOf({ ...unverified, trust: "" })).toMatchObject({ trust_store_id: null, verify_tls: true });
});

test("an authentication is sent if it or a secret of it was changed, and only by http monitors", () => {
  const monitor = { authentication: { type: "basic", username: "probe", certificate: null } } as const;
  const before = { ...fieldsOf(undefined), authentication: "basic", username: "probe" } as const;
  expect(sentOf(before, monitor)).not.toHaveProperty("authentication");
  const basic = { type: "basic", username: "probe", password: "s3cret" };
  expect(sentOf({ ...before, secret: "s3cret" }, monitor)).toMatchObject({ authentication: basic });
  const renamed = { type: "basic", username: "other", password: "" };
  expect(sentOf({ ...before, username: "other" }, monitor)).toMatchObject({ authentication: renamed });
  const none = { type: "none" };
  expect(sentOf({ ...before, authentication: "none" }, monitor)).toMatchObject({ authentication: none });
  expect(sentOf({ ...before, type: "tcp", secret: "s3cret" })).toMatchObject({ authentication: none });
  const certificate = { authentication: { type: "client_certificate", username: null, certificate: null } } as const;
  const overTls = { ...fieldsOf(undefined), type: "tcp", tls: true, authentication: "client_certificate" } as const;
  expect(sentOf(overTls, certificate)).not.toHaveProperty("authentication");
  expect(sentOf({ ...overTls, tls: false }, certificate)).toMatchObject({ authentication: none });
  const bearer = { ...fieldsOf(undefined), authentication: "bearer" as const, secret: "t" };
  expect(sentOf(bearer)).toMatchObject({ authentication: { type: "bearer", token: "t" } });
});

test("a chosen type keeps the interval, except from and to a heartbeat", () => {
  expect(typeChange("http", "tcp")).toEqual({ type: "tcp" });
  expect(typeChange("http", "heartbeat")).toEqual({ type: "heartbeat", interval: "3600" });
  expect(typeChange("heartbeat", "dns")).toEqual({ type: "dns", interval: "60" });
});

test("a limit that is not a number is sent as it was typed, for the API to refuse: null would remove the limit", () => {
  const typed = { ...fieldsOf(undefined), maxResponseTime: "2s", minCertificateDays: "14 d", timeout: "" };
  expect(sentOf(typed)).toMatchObject({
    max_response_time_ms: "2s",
    min_certificate_days: "14 d",
    timeout_seconds: "",
  });
});

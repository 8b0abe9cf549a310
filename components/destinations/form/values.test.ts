import { describe, expect, test } from "vitest";
import { textsOf, valuesOf } from "@/components/destinations/form/values";
import { formKindOf } from "@/components/destinations/kind-fields";
import { destinationTypes, shapeOf } from "@/lib/destinations/shapes";

/** What a person types at least, by the name of the field. */
const typed: Record<string, string> = {
  "settings.url": "https://siem.example.com",
  "settings.endpoint": "https://s3.example.com",
  "settings.host": "syslog.example.com",
  "settings.region": "eu-central-1",
  "settings.bucket": "audit",
  "secrets.token": "t0ken",
  "secrets.api_key": "k3y",
  "settings.access_key_id": "AKIAEXAMPLE",
  "secrets.secret_access_key": "s3cret",
};

describe.each(destinationTypes)("%s", (type) => {
  const { fields } = formKindOf(type);
  const required = fields.filter(({ isOptional }) => !isOptional).map(({ part, name }) => `${part}.${name}`);
  const given = Object.fromEntries(required.map((path) => [path, typed[path] ?? ""]));

  test("has a field for each setting and secret", () => {
    const names = (part: "settings" | "secrets") =>
      Object.keys((shapeOf(type)[part] as unknown as { shape: object }).shape).map((name) => `${part}.${name}`);
    const shown = fields.map(({ part, name }) => `${part}.${name}`);
    expect([...shown].sort()).toEqual([...names("settings"), ...names("secrets")].sort());
    for (const { label } of fields) expect(label).toMatch(/^[A-Z]/);
  });

  test("what is sent for the required fields is valid", () => {
    const { settings, secrets } = valuesOf(fields, { ...textsOf(fields, null), ...given }, { isNew: true });
    expect(shapeOf(type).settings.safeParse(settings).error?.issues ?? []).toEqual([]);
    expect(shapeOf(type).secrets.safeParse(secrets).error?.issues ?? []).toEqual([]);
  });

  test("saved settings come back as they are", () => {
    const { settings } = valuesOf(fields, { ...textsOf(fields, null), ...given }, { isNew: true });
    const saved = shapeOf(type).settings.parse(settings) as Record<string, unknown>;
    expect(valuesOf(fields, textsOf(fields, saved), { isNew: false })).toEqual({ settings: saved, secrets: {} });
  });
});

test("the secret of an access key is behind its id", () => {
  const names = formKindOf("s3").fields.map(({ name }) => name);
  expect(names.indexOf("secret_access_key")).toBe(names.indexOf("access_key_id") + 1);
});

test("an empty secret stays, a typed one replaces it, a removed one is null", () => {
  const { fields } = formKindOf("elastic");
  const texts = textsOf(fields, { url: "https://elastic.example.com", index: "audit", username: null });
  expect(valuesOf(fields, { ...texts, "secrets.api_key": " new " }, { isNew: false, removed: ["password"] })).toEqual({
    settings: { url: "https://elastic.example.com", index: "audit", username: null },
    secrets: { api_key: "new", password: null },
  });
});

test("a number is sent as a number, and anything else as it is typed", () => {
  const { fields } = formKindOf("syslog");
  const port = (text: string) => valuesOf(fields, { "settings.port": text }, { isNew: true }).settings.port;
  expect([port("6515"), port(""), port("65x")]).toEqual([6515, 6514, "65x"]);
});

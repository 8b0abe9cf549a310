import { expect, test } from "vitest";
import type { z } from "zod";
import { WRITE_ONLY } from "@/lib/http/endpoint";
import { destinationFields, secretFields, settingsOf } from "@/lib/notification-channels/providers/settings";
import { channelTypes } from "@/lib/notification-channels/providers/types";

const shapeOf = (type: (typeof channelTypes)[number]) =>
  Object.entries(settingsOf[type].shape as Record<string, z.ZodType>);

test.each(channelTypes)("every URL setting of %s is a secret or a destination of secrets", (type) => {
  const addresses = shapeOf(type)
    .filter(([, schema]) => ["https", "smtp"].some((scheme) => schema.safeParse(`${scheme}://a.example.test`).success))
    .map(([name]) => name);
  const known = [...destinationFields[type], ...secretFields[type]];
  expect(known).toEqual(expect.arrayContaining(addresses));
  for (const name of destinationFields[type]) expect(addresses).toContain(name);
});

test.each(channelTypes)("the descriptions of %s's secrets say who can still read them", (type) => {
  for (const [name, schema] of shapeOf(type)) {
    expect((schema.description ?? "").includes(WRITE_ONLY), name).toBe(secretFields[type].includes(name));
  }
});

test.each([
  ["webhook", "https://:secret@a.example.test/"],
  ["webhook", "https://user@a.example.test/"],
] as const)("a URL of %s that is shown has no credentials: %s", (type, url) => {
  expect(settingsOf[type].safeParse({ url }).success).toBe(false);
});

const own = { to: ["a@example.test"], smtp_url: "smtps://mail.example.test" };

test.each([
  "ops@example.test",
  "Operations <ops@example.test>",
  "Jürgen <ops@example.test>",
  '"Acme, Inc." <ops@example.test>',
  "<ops@example.test>",
])("the sender of e-mail may be %s", (from) => {
  expect(settingsOf.email.parse({ ...own, from }).from).toBe(from);
});

test.each([
  "Operations",
  "Operations <ops>",
  "a@example.test, b@example.test",
  "Operations <a@example.test> <b@example.test>",
  "Operations\r\nBcc: evil@example.test <ops@example.test>",
  "Operations\u202e <ops@example.test>",
  "Acme, Inc. <ops@example.test>",
  '"a" b@example.test <ops@example.test>',
  '"a\\" <ops@example.test>',
  `${"x".repeat(310)} <ops@example.test>`,
])("the sender of e-mail must not be %s", (from) => {
  expect(settingsOf.email.safeParse({ ...own, from }).success).toBe(false);
});

test.each([
  ["smtps://a:50%25off@mail.example.test", true],
  ["smtps://a:50%off@mail.example.test", false],
  ["smtps://100%:b@mail.example.test", false],
  ["smtps://a:%ff@mail.example.test", false],
])("a mail server with a user and a password must be a URL that encodes them: %s", (smtp_url, isValid) => {
  expect(settingsOf.email.safeParse({ ...own, from: "a@example.test", smtp_url }).success).toBe(isValid);
});

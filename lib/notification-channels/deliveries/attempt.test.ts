import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { configure } from "@/lib/config";
import { newId } from "@/lib/ids";
import { settingsColumns } from "@/lib/notification-channels/channel";
import { attempt, isOfChannel, type Leased } from "@/lib/notification-channels/deliveries/attempt";
import type { Message } from "@/lib/notification-channels/providers/message";

/** An e-mail that cannot be composed, leased milliseconds ago. */
function leasedFor(ms: number): Leased {
  configure({ ENCRYPTION_KEY: randomBytes(32).toString("base64") });
  const place = { organizationId: newId(), id: newId() };
  const settings = { to: ["a@example.test"], from: "b@example.test", smtp_url: "smtp://127.0.0.1:9" };
  const { settings: stored, secrets } = settingsColumns(place, "email", settings, []);
  const item = { subject: "S", detail: "D", severity: "warning" as const, url: "http://x/1", alert_id: null };
  const resource = { type: "endpoint", id: newId(), name: "S", url: "http://x/2" };
  const times = { not_after: "not a time", opened_at: "2026-11-21T14:31:58Z", resolved_at: null };
  const about = { resource, causes: [], advice: "", tags: [], certificate_id: null, ...times };
  const message: Message = {
    ...{
      kind: "alert",
      state: "firing",
      severity: "warning",
      title: "T",
      text: "",
      items: [{ ...item, about }],
      more: 0,
    },
    ...{ url: "http://x/", key: "key", at: "2026-11-21T14:31:58Z" },
  };
  const channel = {
    ...place,
    name: "C",
    type: "email",
    settings: stored,
    secrets,
    secretFields: ["smtp_url"],
    enabled: true,
  };
  return { ...place, attempts: 1, leasedUntil: new Date(), leasedAt: performance.now() - ms, message, channel };
}

test("a message that cannot be composed has failed for good, and is not repeated forever", async () => {
  const sent = await attempt(leasedFor(0));
  expect(sent).toMatchObject({ ok: false, isFinal: true, reason: "the message could not be composed" });
});

test("nothing is sent when too little of the lease is left, and that does not count", async () => {
  const sent = await attempt(leasedFor(26_000));
  expect(sent).toMatchObject({ ok: false, isFinal: false, retryAfterMs: 0, isUncounted: true });
});

test("a disabled channel sends nothing but tests, and that is no failure of its own", async () => {
  const { message, channel, ...leased } = leasedFor(0);
  const off = { ...leased, channel: { ...channel, enabled: false } };
  const sent = await attempt({ ...off, message });
  expect(sent).toMatchObject({ ok: false, isFinal: true, reason: "its channel was disabled", isUncounted: true });
  expect(isOfChannel(sent)).toBe(false);
  expect(isOfChannel(await attempt({ ...off, message: { ...message, kind: "test" } }))).toBe(true);
});

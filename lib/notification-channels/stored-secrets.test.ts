import { expect, test } from "vitest";
import { changesOf } from "@/lib/audit-logs/write/changes";
import { recordedSettings } from "@/lib/notification-channels/stored-secrets";

test.each(["https://hooks.example.test/token", "HTTPS://hooks.example.test/token", "Https:hooks.example.test/token"])(
  "of the URL %s only the origin is recorded",
  (url) => {
    const changes = changesOf(null, recordedSettings({ url, topic: "ops" }));
    expect(changes).toMatchObject([
      { field: "url", to: "https://hooks.example.test" },
      { field: "topic", to: "ops" },
    ]);
  },
);

import { expect, test } from "vitest";
import { keyNotices } from "@/components/overview/key-notices";
import type { ApiKey } from "@/lib/api-keys/contract";

const now = Date.parse("2026-11-21T12:00:00Z");
const day = (days: number) => new Date(now + days * 86_400_000).toISOString();

function key(name: string, fields: Partial<ApiKey>): ApiKey {
  return {
    id: name,
    name,
    permission: "read",
    ip_whitelist: [],
    expires_at: null,
    status: "active",
    hint: "",
    created_at: day(-20),
    created_by: { type: "user", id: null, name: "" },
    last_used_at: day(-1),
    last_used_ip: null,
    rotated_at: null,
    rotation_due_at: day(70),
    rotated_secret_used_at: null,
    revoked_at: null,
    risks: [],
    ...fields,
  };
}

test("what wants a look, most pressing first", () => {
  const found = keyNotices(
    [
      key("fine", {}),
      key("unused", { last_used_at: null }),
      key("overdue", { rotation_due_at: day(-3) }),
      key("expiring", { expires_at: day(5) }),
      key("expiring-sooner", { expires_at: day(2), rotation_due_at: day(-3) }),
      key("idle", { last_used_at: day(-100) }),
    ],
    now,
  );
  expect(found.map(({ name, kind }) => [name, kind])).toEqual([
    ["expiring-sooner", "expires"],
    ["expiring", "expires"],
    ["overdue", "overdue"],
    ["idle", "idle"],
    ["unused", "unused"],
  ]);
});

test("neither new keys without use nor keys that are over", () => {
  const found = keyNotices(
    [
      key("new", { last_used_at: null, created_at: day(-1) }),
      key("revoked", { status: "revoked", rotation_due_at: day(-3) }),
      key("far", { expires_at: day(60) }),
    ],
    now,
  );
  expect(found).toEqual([]);
});

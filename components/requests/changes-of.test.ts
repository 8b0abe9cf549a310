import { expect, test } from "vitest";
import { changesOf } from "@/components/requests/changes-of";

const initial = { name: "ci", permission: "read", scope: null as string | null, addresses: ["192.0.2.1"] };

test("only what differs is sent, whatever its type", () => {
  expect(changesOf(initial, { ...initial, addresses: [...initial.addresses] })).toEqual({});
  expect(changesOf(initial, { ...initial, name: "cd" })).toEqual({ name: "cd" });
  expect(changesOf({ ...initial, scope: "keys" }, initial)).toEqual({ scope: null });
  expect(changesOf(initial, { ...initial, addresses: [] })).toEqual({ addresses: [] });
});

test("a field that was not among the initial ones is sent", () => {
  expect(changesOf<{ name: string; secret?: string }>({ name: "ci" }, { name: "ci", secret: "s" })).toEqual({
    secret: "s",
  });
});

test("fields of a group are sent together", () => {
  const groups = [["permission", "scope"]] as const;
  const admin = { permission: "admin", scope: null };
  expect(changesOf(initial, { ...initial, ...admin }, groups)).toEqual(admin);
  expect(changesOf(initial, { ...initial, name: "cd" }, groups)).toEqual({ name: "cd" });
});

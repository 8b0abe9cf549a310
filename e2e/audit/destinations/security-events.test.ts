import { afterAll, expect, test } from "vitest";
import { grow, PATH, streamTo } from "@/e2e/audit/destinations/streaming";
import { newOrganization } from "@/e2e/support/organization";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { newSink } from "@/e2e/support/stand-ins/sink";
import type { AuditEvent } from "@/lib/audit-logs/contract";

const server = sharedServer();
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** What changes a destination, after it was created. */
const changes = [
  ["destination.update", "put", "", { format: "ocsf" }],
  ["destination.pause", "post", "/pause", {}],
  ["destination.resume", "post", "/resume", {}],
  ["destination.rotate_secret", "post", "/rotate-secret", {}],
  ["destination.replay", "post", "/replay", { index: 0 }],
  ["destination.delete", "delete", "", undefined],
] as const;

test("each change of a destination is a security event with a flag, and what changes nothing is none", async () => {
  const [owner, sink] = [await newOrganization(server), await newSink()];
  const { admin } = owner;
  closers.push(sink.close);
  await grow(owner, 1);
  const { id } = await streamTo(owner, sink);
  const same = await admin.put(`${PATH}/${id}`, { settings: { url: sink.url } });
  expect(same.status, same.text).toBe(200);
  for (const [action, method, path, body] of changes) {
    const place = `${PATH}/${id}${path}`;
    const answer = await (method === "delete" ? admin.delete(place) : admin[method](place, body));
    expect(answer.status, `${action}: ${answer.text}`).toBe(200);
  }
  await whenDelivered(server, owner.id);
  const { data } = await admin.get<AuditEvent[]>("/audit-logs?order=asc&flag=destination_changed");
  expect(data.map(({ resource }) => resource)).toEqual(
    ["destination.create", ...changes.map(([action]) => action)].map((action) => ({ type: "destination", id, action })),
  );
  for (const { security, resource } of data) {
    const due = { flags: ["destination_changed"], is_security_event: true };
    expect(security, resource.action ?? "").toMatchObject(due);
  }
});

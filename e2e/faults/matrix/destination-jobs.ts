import { expect } from "vitest";
import { store } from "@/e2e/audit/store";
import type { Give } from "@/e2e/faults/work";
import { newOrganization } from "@/e2e/support/organization";
import { AuditEventDraft } from "@/lib/audit-logs/audit-event-draft";
import { findSeals } from "@/lib/audit-logs/seal/find-seals";
import { newId } from "@/lib/ids";

/** A new log with a destination, which has to be sealed, signed and sent. */
export const streamLog: Give = async ({ server, receiver }) => {
  const { id, admin } = await newOrganization(server);
  const path = `/streams/${newId()}`;
  const settings = { url: receiver.url + path };
  const made = await admin.post("/audit-logs/destinations", { type: "https", name: "Sink", settings, start: "oldest" });
  expect(made.status, made.text).toBe(201);
  const { row } = new AuditEventDraft({ organization_id: id, method: "GET", path: "/streamed", status_code: 200 });
  await store([row]);
  /** The batches as ranges [first, end), in the order in which they came. */
  const ranges = () =>
    receiver.received
      .filter((each) => each.path === path)
      .map(({ headers }) => /:(\d+)-(\d+)$/.exec(String(headers["idempotency-key"]))?.slice(1).map(Number) ?? [])
      .map(([first = 0, last = 0]) => ({ first, end: last + 1 }));
  const end = () => ranges().reduce((most, range) => Math.max(most, range.end), 0);
  return {
    isDone: async () => {
      const index = (await findSeals([{ organization_id: id, id: row.id }])).get(row.id)?.index;
      return index !== undefined && end() > index;
    },
    async verify() {
      // At least once and in order: each batch begins at the end of what came before, or is a repetition.
      let sent = 0;
      for (const range of ranges()) {
        expect(range.first).toBeLessThanOrEqual(sent);
        sent = Math.max(sent, range.end);
      }
      const names = ranges().map(({ first }) => first);
      expect(names, "a batch begins anew only as a repetition").toEqual(names.toSorted((a, b) => a - b));
    },
  };
};

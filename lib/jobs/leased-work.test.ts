import { expect, test } from "vitest";
import { type LeasedWork, runLeasedWork } from "@/lib/jobs/leased-work";

interface Item {
  organizationId: string;
  id: number;
}

const away = () => Object.assign(new Error("terminating connection due to administrator command"), { code: "57P01" });
const never = new AbortController().signal;

/** Processes a list of items; `worked` and `written` contain their ids. */
function jobOf(items: Item[], given: Partial<LeasedWork<Item, Item>> = {}) {
  const worked: number[] = [];
  const written: number[] = [];
  const work = given.work ?? (async (item: Item) => item);
  const job: LeasedWork<Item, Item> = {
    what: "test",
    kind: "uptime_check",
    lease: async (most) => items.splice(0, most),
    idOf: ({ id }) => String(id),
    write: async (results) => void written.push(...results.map(({ id }) => id)),
    ...given,
    work: (item, signal) => {
      worked.push(item.id);
      return work(item, signal);
    },
  };
  return { job, worked, written };
}

const itemsOf = (organizationId: string, count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, n) => ({ organizationId, id: from + n }));

test("all due items are processed, and each result is written once", async () => {
  const { job, worked, written } = jobOf(itemsOf("acme", 1_000));
  await runLeasedWork(job, never);
  expect(worked).toHaveLength(1_000);
  expect(written.toSorted((a, b) => a - b)).toEqual(itemsOf("acme", 1_000).map(({ id }) => id));
});

test("neither a failed item nor an unwritable result blocks the others", async () => {
  const written: number[] = [];
  const { job } = jobOf(itemsOf("acme", 100), {
    work: async (item) => {
      if (item.id === 7) throw new Error("broken");
      return item;
    },
    write: async (results) => {
      if (results.some(({ id }) => id === 9)) throw new Error("refused");
      written.push(...results.map(({ id }) => id));
    },
  });
  await runLeasedWork(job, never);
  expect(new Set(written).size).toBe(98);
  expect(written).toHaveLength(98);
});

test("results are kept while a connection is broken, so that no work is repeated", async () => {
  const written: number[] = [];
  let failures = 0;
  const { job, worked } = jobOf(itemsOf("acme", 50), {
    write: async (results) => {
      if (failures++ < 3) throw away();
      written.push(...results.map(({ id }) => id));
    },
  });
  await runLeasedWork(job, never);
  expect(worked).toHaveLength(50);
  expect(written.toSorted((a, b) => a - b)).toEqual(itemsOf("acme", 50).map(({ id }) => id));
});

test("nothing is leased while results cannot be written, because it would be what waits to be written", async () => {
  let failures = 0;
  const written: number[] = [];
  const items = itemsOf("acme", 1);
  const { job, worked } = jobOf(items, {
    // The lease of the first item ends as soon as it cannot be written.
    lease: async (most) => (failures > 0 && written.length === 0 ? itemsOf("acme", 1) : items.splice(0, most)),
    write: async (results) => {
      if (++failures < 4) throw away();
      written.push(...results.map(({ id }) => id));
    },
  });
  await runLeasedWork(job, never);
  expect([worked, written]).toEqual([[0], [0]]);
});

test("results that cannot be written do not keep a process from stopping", async () => {
  const stopping = new AbortController();
  let attempts = 0;
  const { job } = jobOf(itemsOf("acme", 1), {
    write: async () => {
      if (++attempts === 3) stopping.abort();
      throw away();
    },
  });
  await expect(runLeasedWork(job, stopping.signal)).rejects.toMatchObject({ code: "57P01" });
  expect(attempts).toBe(3);
});

test("other organizations' items are processed while all slots of one organization hang", async () => {
  const silent = withResolvers();
  const [big, small] = [itemsOf("big", 100), itemsOf("small", 3, 1_000)];
  const done: number[] = [];
  const { job, worked } = jobOf([], {
    slots: { total: 12, perOrganization: 8 },
    lease: async (most, running) => {
      const room = 8 - running.filter(({ organizationId }) => organizationId === "big").length;
      // Other organizations' items become due only when this organization has all its slots.
      const others = running.length === 8 ? small.splice(0, most) : [];
      return [...big.splice(0, Math.min(most, room)), ...others];
    },
    work: async (item) => {
      if (item.organizationId === "big") await silent.promise;
      else if (done.push(item.id) === 3) silent.resolve();
      return item;
    },
  });
  await runLeasedWork(job, never);
  expect(done).toHaveLength(3);
  expect(worked.slice(0, 11).sort()).toEqual(
    [...itemsOf("big", 8), ...itemsOf("small", 3, 1_000)].map(({ id }) => id).sort(),
  );
});

test("more items are leased when all of an organization's slots are freed during a query that found none", async () => {
  const due = itemsOf("acme", 20);
  const silent = withResolvers();
  const { job, worked } = jobOf([], {
    slots: { total: 16, perOrganization: 8 },
    lease: async (_most, running) => {
      if (running.length === 8) {
        silent.resolve();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return due.splice(0, 8 - running.length);
    },
    work: async (item) => {
      await silent.promise;
      return item;
    },
  });
  await runLeasedWork(job, never);
  expect(worked).toHaveLength(20);
});

test("reports progress while there is always something in flight", async () => {
  const silent = withResolvers();
  let reported = 0;
  const { job } = jobOf(itemsOf("acme", 2), {
    work: async (item) => {
      if (item.id === 0) await silent.promise;
      return item;
    },
  });
  await runLeasedWork(job, never, () => {
    reported++;
    silent.resolve();
  });
  expect(reported).toBe(2);
});

/** A promise with its `resolve` function. */
function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

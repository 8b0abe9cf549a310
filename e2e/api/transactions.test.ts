import { expect, test } from "vitest";
import { newOrganization } from "@/e2e/support/organization";
import { query } from "@/e2e/support/servers/databases";
import { sharedServer } from "@/e2e/support/servers/shared";
import { until } from "@/e2e/support/until";
import { inTransaction, pool, queryIn, type Transaction } from "@/lib/db/app";
import { isTimeLimit, isUnavailable } from "@/lib/db/unavailable";

const server = sharedServer();

const rename = (tx: Transaction, id: string, name: string) =>
  queryIn(tx, { text: "UPDATE organizations SET name = $2 WHERE id = $1::uuid", values: [id, name] });

async function nameOf(id: string): Promise<string | undefined> {
  const [row] = await query<{ name: string }>(server, "app", "SELECT name FROM organizations WHERE id = $1", [id]);
  return row?.name;
}

test("statements of the driver and of Prisma are one transaction, and the last ones are sent with the commit", async () => {
  const { id } = await newOrganization(server);
  const seen = await inTransaction(
    async (tx) => {
      await rename(tx, id, "By the driver");
      const { name } = await tx.organization.findUniqueOrThrow({ where: { id } });
      await tx.organization.update({ where: { id }, data: { name: `${name}, then by Prisma` } });
      expect(await nameOf(id)).not.toContain("driver");
      return queryIn<{ name: string }>(tx, {
        text: "SELECT name FROM organizations WHERE id = $1::uuid",
        values: [id],
      });
    },
    { last: (tx) => [rename(tx, id, "Last")] },
  );
  expect(seen).toEqual([{ name: "By the driver, then by Prisma" }]);
  expect(await nameOf(id)).toBe("Last");
});

test.each([
  ["throws", async () => Promise.reject(new Error("refused"))],
  [
    "ignores a failed statement",
    async (tx: Transaction) => queryIn(tx, { text: "SELECT 1/0", values: [] }).catch(() => {}),
  ],
  ["ignores a failed statement of Prisma", async (tx: Transaction) => tx.$queryRaw`SELECT 1/0`.catch(() => {})],
])("nothing is committed if the work %s, and the caller gets an error", async (_, end) => {
  const { id } = await newOrganization(server);
  const before = await nameOf(id);
  const work = async (tx: Transaction) => {
    await rename(tx, id, "Not kept");
    await tx.organization.count({ where: { id } });
    await end(tx);
  };
  await expect(inTransaction(work)).rejects.toThrow();
  await expect(
    inTransaction(async () => {}, { last: (tx) => [rename(tx, id, "x"), rename(tx, "no id", "x")] }),
  ).rejects.toThrow();
  expect(await nameOf(id)).toBe(before);
});

test("nothing is committed if a last statement cannot even be sent", async () => {
  const { id } = await newOrganization(server);
  const before = await nameOf(id);
  const toPostgres = () => {
    throw new Error("no value");
  };
  const unsendable = (tx: Transaction) => queryIn(tx, { text: "SELECT $1::text", values: [{ toPostgres }] });
  const changed = inTransaction(async (tx) => rename(tx, id, "Not kept"), { last: (tx) => [unsendable(tx)] });
  await expect(changed).rejects.toThrow("no value");
  expect(await nameOf(id)).toBe(before);
});

test("a statement of Prisma after the end is not sent", async () => {
  const { id } = await newOrganization(server);
  const late = await inTransaction(async (tx) => {
    await tx.organization.count({ where: { id } });
    return () => tx.organization.update({ where: { id }, data: { name: "Late" } });
  });
  await expect(late()).rejects.toThrow();
  expect(await nameOf(id)).not.toBe("Late");
});

test("work that hangs keeps no connection, and its changes are rolled back", async () => {
  const { id } = await newOrganization(server);
  let hang: (() => void) | undefined;
  const hanging = inTransaction(
    async (tx) => {
      await rename(tx, id, "Hanging");
      await new Promise<void>((resolve) => {
        hang = resolve;
      });
    },
    // Room for its first statements.
    { timeout: 3_000 },
  );
  hanging.catch(() => {});
  await until("the work hangs", async () => hang !== undefined);
  await until("the connection is free", async () => pool().idleCount === pool().totalCount);
  expect(await nameOf(id)).not.toBe("Hanging");
  hang?.();
  await expect(hanging).rejects.toThrow("the transaction has ended");
});

test("a statement of a transaction that has ended is not sent: its connection may serve another", async () => {
  await newOrganization(server);
  const late = await inTransaction(async (tx) => () => queryIn(tx, { text: "SELECT 1", values: [] }));
  await expect(late()).rejects.toThrow("the transaction has ended");
  const slow = inTransaction(
    async (tx) => {
      await expect(tx.$queryRaw`SELECT pg_sleep(1)`).rejects.toThrow();
      const refused = await queryIn(tx, { text: "SELECT 1", values: [] }).catch((error: unknown) => error);
      // Answered with 503, as when Prisma refuses.
      expect([isTimeLimit(refused), isUnavailable(refused)]).toEqual([true, true]);
    },
    { timeout: 100 },
  );
  await expect(slow).rejects.toThrow();
});

test("a connection whose server only reads since a failover serves no others", async () => {
  const { id } = await newOrganization(server);
  let pid = 0;
  const refused = inTransaction(async (tx) => {
    const [row] = await queryIn<{ pid: number }>(tx, { text: "SELECT pg_backend_pid() AS pid", values: [] });
    pid = row?.pid ?? 0;
    await queryIn(tx, { text: "SET TRANSACTION READ ONLY", values: [] });
    await rename(tx, id, "Not kept");
  });
  await expect(refused).rejects.toMatchObject({ code: "25006" });
  const ofPid = "SELECT FROM pg_stat_activity WHERE pid = $1";
  await until("the connection is closed", async () => (await query(server, "app", ofPid, [pid])).length === 0);
});

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Load, loggedRequests } from "@/e2e/faults/load";
import { Cluster } from "@/e2e/support/servers/cluster";
import { whenDelivered } from "@/e2e/support/servers/databases";
import { lastingPort } from "@/e2e/support/servers/lasting-port";
import { hasNginx, Nginx } from "@/e2e/support/servers/nginx";
import { hasRedis, type RedisServer, startRedis } from "@/e2e/support/servers/redis";
import { Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";

describe.skipIf(!hasNginx || !hasRedis)("two machines behind nginx, on one PostgreSQL and one Redis", () => {
  let cluster: Cluster;
  let redis: RedisServer;
  let nginx: Nginx;
  let machines: Sealwatch[];

  beforeAll(async () => {
    [cluster, redis] = await Promise.all([Cluster.create(), startRedis()]);
    const port = await lastingPort();
    const env = {
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXIES: "127.0.0.1",
      DATABASE_URL: cluster.url("app"),
      AUDIT_DATABASE_URL: cluster.url("audit"),
      REDIS_URL: redis.url,
      SESSION_SECRET: randomBytes(32).toString("base64"),
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    };
    machines = [await startSealwatch(env), await startSealwatch(env)];
    nginx = await Nginx.start(
      port,
      machines.map((machine) => machine.port),
    );
  });
  afterAll(async () => {
    await nginx?.stop();
    for (const machine of machines ?? []) await machine.destroy();
    await redis?.destroy();
    await cluster?.destroy();
  });

  test("are restarted one after the other without a failed request or a lost event", async () => {
    const [first] = machines;
    if (first === undefined) throw new Error("no machine runs");
    const behind = new Sealwatch({ ...first.plain, url: nginx.url });
    const load = await Load.start(behind);
    const errors: string[] = [];
    const collect = (machine: Sealwatch) =>
      errors.push(
        ...machine
          .output()
          .stderr.split("\n")
          .filter((line) => line.includes('"level":50')),
      );
    for (const machine of machines) {
      await load.answered(50);
      await nginx.leaveOut(machine.port);
      await machine.stop();
      collect(machine);
      await load.answered(50);
      await machine.start();
      await nginx.leaveOut();
    }
    await load.answered(50);
    await load.stop();
    await whenDelivered(behind);

    machines.forEach(collect);
    const failed = load.calls.filter(({ answer }) => answer === null || answer.status >= 500);
    expect(
      failed.map(({ answer, failure }) => answer?.text ?? failure),
      errors.join("\n"),
    ).toEqual([]);
    const events = await loggedRequests(behind, load);
    const answered = load.calls.flatMap(({ answer }) => answer?.requestId ?? []);
    expect(events.map(({ id }) => id).sort()).toEqual(answered.sort());
    expect(events.filter(({ flags }) => flags.includes("interrupted"))).toEqual([]);
  });
});

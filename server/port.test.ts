import { createServer } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "@/server/port";

test("a preferred port that is in use is skipped", async () => {
  const server = createServer();
  const taken = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    }),
  );
  expect(await freePort(taken)).not.toBe(taken);
  server.close();
});

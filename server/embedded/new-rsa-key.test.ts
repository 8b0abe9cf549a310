import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { transformSync } from "esbuild";
import { expect, test } from "vitest";

test("generated keys can be exported while memory is collected", () => {
  const { code } = transformSync(readFileSync("server/embedded/new-rsa-key.ts", "utf8"), { loader: "ts" });
  const body =
    'for (let n = 0; n < 4; n++) { const key = newRsaKey(); for (let k = 0; k < 4000; k++) key.export({ format: "jwk" }); }';
  const { status } = spawnSync(
    process.execPath,
    ["--max-semi-space-size=1", "--input-type=module", "-e", code + body],
    {
      timeout: 60_000,
    },
  );
  expect(status).toBe(0);
});

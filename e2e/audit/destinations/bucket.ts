import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasPython, run } from "@/e2e/support/servers/program";
import { S3_KEY, type SwiftS3 } from "@/e2e/support/servers/swift/swift-s3";

/** The settings and secrets of a destination at Swift. */
export function atSwift({ url, bucket }: SwiftS3, prefix: string) {
  const { secret_access_key, ...key } = S3_KEY;
  return {
    type: "s3" as const,
    settings: { endpoint: url, bucket, addressing: "path", prefix, interval_seconds: 1, ...key },
    secrets: { secret_access_key },
  };
}

/** The ranges [first, end) of the objects below a prefix, in the order of their names. */
export async function rangesIn(
  swift: SwiftS3,
  prefix: string,
): Promise<{ name: string; first: number; end: number }[]> {
  const names = (await swift.list()).filter((name) => name.startsWith(`${prefix}/`) && name.endsWith(".ndjson.gz"));
  return names.map((name) => {
    const [, first, last] = /-(\d{12})-(\d{12})\.ndjson\.gz$/.exec(name) ?? [];
    return { name, first: Number(first), end: Number(last) + 1 };
  });
}

/** Downloads what is below a prefix, and verifies it with the command. The second verifier, in Python, must come to the same verdict. */
export async function verifyBucket(
  swift: SwiftS3,
  prefix: string,
  { vkey, from, filtered = false }: { vkey: string; from?: number; filtered?: boolean },
): Promise<{ code: number | string | null | undefined; out: string }> {
  const root = mkdtempSync(join(tmpdir(), "sealwatch-bucket-"));
  const [folder, options] = [join(root, "bucket"), join(root, "options.json")];
  try {
    for (const name of (await swift.list()).filter((each) => each.startsWith(`${prefix}/`))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), await swift.read(name));
    }
    writeFileSync(options, JSON.stringify({ vkey, now: Date.now(), from, filtered }));
    const args = [
      "--vkey",
      vkey,
      ...(from === undefined ? [] : ["--from", `${from}`]),
      ...(filtered ? ["--filtered"] : []),
    ];
    const result = await run(process.execPath, ["public/sealwatch-verify.mjs", folder, ...args]);
    if (hasPython()) {
      const second = await run("python3", ["server/testing/sealed-log/verify.py", folder, options]);
      if (second.code !== result.code) throw new Error(`the verifiers disagree: ${second.out} ${result.out}`);
    }
    return result;
  } finally {
    rmSync(root, { recursive: true });
  }
}

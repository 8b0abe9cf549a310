import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** Downloads what is below a prefix, and verifies it with the command. */
export async function verifyBucket(
  swift: SwiftS3,
  prefix: string,
  args: string[],
): Promise<{ code: number | string | null | undefined; out: string }> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-bucket-"));
  try {
    for (const name of (await swift.list()).filter((each) => each.startsWith(`${prefix}/`))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), await swift.read(name));
    }
    return await new Promise((resolve) => {
      execFile(process.execPath, ["public/sealwatch-verify.mjs", folder, ...args], (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : error.code, out: stdout + stderr });
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

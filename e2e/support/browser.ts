import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium, type LaunchOptions } from "playwright/test";
import { exclusively } from "@/server/exclusive.mjs";

/** The value of CHROMIUM_PATH that selects the browser of the npm package. */
const PACKAGED = "packaged";
const PACKAGE = "node_modules/@sparticuz/chromium";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * A Chromium for the tests: CHROMIUM_PATH, otherwise one of the system, otherwise Playwright's own, otherwise the one in the npm
 * package. It gets only Playwright's arguments: those of the package are for cloud functions and disable web security.
 */
export async function findBrowser(): Promise<Pick<LaunchOptions, "executablePath" | "env">> {
  const named = process.env.CHROMIUM_PATH;
  if (named === PACKAGED) return unpackBrowser();
  if (named) return { executablePath: named };
  const executablePath = [...PLACES, chromium.executablePath()].find((path) => existsSync(path));
  return executablePath === undefined ? unpackBrowser() : { executablePath };
}

/** The package's Chromium, unpacked once per checkout, with its libraries and fonts if the system has none. */
async function unpackBrowser(): Promise<{ executablePath: string; env: NodeJS.ProcessEnv }> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("No Chromium was found. Install Chromium or Chrome, or set CHROMIUM_PATH to one.");
  }
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  const folder = resolve("node_modules/.cache", `chromium-${version}`);
  if (!existsSync(folder)) {
    await exclusively("browser", async () => {
      if (!existsSync(folder)) unpackInto(folder);
    });
  }
  const executablePath = join(folder, "chromium");
  const env = { ...process.env };
  if (!existsSync("/etc/fonts/fonts.conf")) env.FONTCONFIG_FILE = join(folder, "fonts.conf");
  if (!runs(executablePath)) env.LD_LIBRARY_PATH = join(folder, "al2023", "lib");
  return { executablePath, env };
}

function runs(executable: string): boolean {
  return spawnSync(executable, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Unpacks the package. The folder appears only when it is complete. */
function unpackInto(folder: string): void {
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  // The package unpacks into the system's temporary folder, which other processes may use, and its libraries only in a cloud function.
  const script = 'import("@sparticuz/chromium").then((module) => module.default.executablePath())';
  const env = { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" };
  const { status, stderr } = spawnSync(process.execPath, ["-e", script], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${PACKAGE} could not be unpacked: ${stderr}`);
  const fonts = `<fontconfig><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`;
  writeFileSync(join(draft, "fonts.conf"), fonts);
  renameSync(draft, folder);
}

import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const PLACES = [
  process.env.CHROMIUM_PATH ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** A Chromium to test with: one that is there already, else Playwright's own, else the one that comes as an npm package. */
export async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const present = [...PLACES, chromium.executablePath()].find((path) => path !== "" && existsSync(path));
  if (present !== undefined) return { executablePath: present, args };
  const { default: packaged } = await import("@sparticuz/chromium");
  return { executablePath: await packaged.executablePath(), args: packaged.args };
}

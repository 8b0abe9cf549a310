import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright";
import { THEME_COOKIE, themes } from "@/components/layout/themes";
import { Api } from "@/e2e/support/api";
import { findBrowser } from "@/e2e/support/browser";
import { shiftedOf, watchShifts } from "@/e2e/support/layout-shift";
import { createDemonstration } from "@/e2e/support/servers/demonstration";
import { runStart, type Sealwatch, startSealwatch } from "@/e2e/support/servers/sealwatch";
import { newSession } from "@/e2e/support/session";
import { Refusal } from "@/server/web/refusal";

/** The folder of the pictures, which git ignores. */
const FOLDER = ".screenshots";
const PAGES = "app/(dashboard)";
const SETTLED_MS = 30_000;
/** Preferred items of a list, because their pages show the most. */
const PREFERRED = /ci-deploy|shop\.northwind/;

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
type Size = keyof typeof sizes;

/** Dialogs and panels that open on request. */
const opened: { name: string; path: string; open: (page: Page) => Promise<void> }[] = [
  { name: "palette", path: "/", open: (page) => page.keyboard.press("Control+k") },
  { name: "keys", path: "/", open: (page) => page.keyboard.press("?") },
  { name: "create-key", path: "/api-keys", open: (page) => page.getByRole("button", { name: "Create key" }).click() },
];

/** Pages with a state in their address that others do not show. */
const views: { name: string; path: string }[] = [
  { name: "audit-logs-facets", path: "/audit-logs?facets=1" },
  { name: "audit-logs-grouped", path: "/audit-logs?range=30d&group=api_key_id,ip" },
  { name: "not-found", path: "/nowhere" },
];

/** The paths of the dashboard's pages; a part in brackets is an id or a name. */
function routes(folder = PAGES, path = ""): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "page.tsx") return [path || "/"];
    if (!entry.isDirectory()) return [];
    return routes(join(folder, entry.name), entry.name.startsWith("(") ? path : `${path}/${entry.name}`);
  });
}

/** Waits until the page has loaded all streamed content. */
async function settle(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ timeout: SETTLED_MS });
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null, undefined, {
    timeout: SETTLED_MS,
  });
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** An organization's pages in one size and theme. */
class Album {
  constructor(
    private readonly context: BrowserContext,
    private readonly name: string,
  ) {}

  async take(page: Page, path: string, name: string, open?: (page: Page) => Promise<void>): Promise<void> {
    await page.goto(path);
    await settle(page);
    const shifted = await shiftedOf(page);
    if (open) {
      await open(page);
      await page.getByRole("dialog").first().waitFor();
    }
    const file = `${name}-${this.name}.png`;
    await page.screenshot({
      path: join(FOLDER, file),
      fullPage: open === undefined,
      animations: "disabled",
      caret: "hide",
    });
    console.log(`${shifted.toFixed(3)}  ${FOLDER}/${file}`);
  }

  /** Visits every page of the organization. Ids come from links on earlier pages. */
  async fill(wanted: (name: string) => boolean): Promise<void> {
    const page = await this.context.newPage();
    const left = new Set(routes());
    const links = new Map<string, string>();
    for (let isFirst = true, found = true; found; isFirst = false) {
      found = false;
      for (const route of left) {
        const path = route.includes("[") ? pathOf(route, links) : isFirst ? route : null;
        if (path === null) continue;
        left.delete(route);
        found = true;
        const name = route === "/" ? "overview" : route.slice(1).replaceAll("/", "-").replace(/[[\]]/g, "");
        if (wanted(name)) await this.take(page, path, name);
        else await page.goto(path).then(() => settle(page));
        for (const [href, text] of await linksOf(page)) if (!links.has(href)) links.set(href, text);
      }
    }
    for (const { name, path } of views) if (wanted(name)) await this.take(page, path, name);
    for (const { name, path, open } of opened) if (wanted(name)) await this.take(page, path, name, open);
    await this.context.close();
  }
}

function linksOf(page: Page): Promise<[href: string, text: string][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLAnchorElement>("#content a[href]")].map((link) => [
      link.pathname,
      link.textContent ?? "",
    ]),
  );
}

function pathOf(route: string, links: ReadonlyMap<string, string>): string | null {
  const part = (_: string, name: string) => (name.endsWith("id") ? "[0-9a-f]{8}-[0-9a-f-]{27}" : "[^/]+");
  const pattern = new RegExp(`^${route.replace(/\[(\w+)\]/g, part)}$`);
  const fitting = [...links].filter(([href]) => pattern.test(href));
  return (fitting.find(([, text]) => PREFERRED.test(text)) ?? fitting[0])?.[0] ?? null;
}

/** Creates items with unusual names: long, right-to-left and without spaces. */
async function oddNames(server: Sealwatch, cookie: string): Promise<void> {
  const api = new Api(server.url, { cookie, origin: server.url });
  const names = [
    "The key of the third-party vulnerability scanner that the auditors asked for in their report",
    "مفتاح خدمة المراقبة الرئيسية لمركز البيانات",
    "מפתח-הפריסה (production)",
    "a".repeat(100),
    "🔑",
  ];
  for (const name of names) await api.post("/api-keys", { name, permission: "admin" });
  const host = `${"subdomain-of-a-tenant.".repeat(9)}example.com`;
  await api.post("/certificates/endpoints", { host, reported: true, tags: ["a-tag-that-is-long-enough-to-be-cut"] });
}

function contextOf(browser: Browser, server: Sealwatch, size: Size, theme: "light" | "dark", cookie: string) {
  const [name = "", value = ""] = cookie.split("=");
  return browser
    .newContext({
      baseURL: server.url,
      viewport: sizes[size],
      isMobile: size === "narrow",
      hasTouch: size === "narrow",
      colorScheme: theme,
      locale: "en-GB",
      timezoneId: "Europe/Berlin",
      reducedMotion: "reduce",
    })
    .then(async (context) => {
      await context.addInitScript(watchShifts);
      await context.addCookies([
        { name, value, url: server.url },
        { name: THEME_COOKIE, value: theme, url: server.url },
      ]);
      return context;
    });
}

/** Takes pictures of every page and prints its layout shift, for the demonstration, for unusual names and for an empty organization. */
async function main(words: readonly string[]): Promise<void> {
  const { code, stderr } = await runStart(["--build-only"], {});
  if (code !== 0) throw new Refusal(stderr);
  if (words.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const server = await startSealwatch();
  const browser = await chromium.launch(await findBrowser());
  try {
    const full = await createDemonstration(server);
    const { cookie: odd } = await newSession(server);
    await oddNames(server, odd);
    const { cookie: empty } = await newSession(server);
    for (const [what, cookie] of Object.entries({ full, odd, empty })) {
      for (const size of ["wide", "narrow"] as const) {
        // One theme is enough for unusual names and for the empty organization: the demonstration shows the colours.
        for (const theme of what === "full" ? themes : (["light"] as const)) {
          const context = await contextOf(browser, server, size, theme, cookie);
          const wanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word));
          await new Album(context, `${what}-${size}-${theme}`).fill(wanted);
        }
      }
    }
  } finally {
    await browser.close();
    await server.destroy();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Refusal ? error.message : error);
    process.exit(1);
  },
);

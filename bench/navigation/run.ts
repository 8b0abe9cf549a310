import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright";
import { ms, percentile, row } from "@/bench/measure";
import { navigation } from "@/components/layout/navigation";
import { findBrowser } from "@/e2e/support/browser";
import { query } from "@/e2e/support/servers/databases";
import { createDemonstration } from "@/e2e/support/servers/demonstration";
import { startSealwatch } from "@/e2e/support/servers/sealwatch";

/** Milliseconds from the click until the page's heading and first data are visible, and until nothing of it is loading. */
interface Taken {
  content: number;
  whole: number;
}

/** Entries opened by `j` in each round. */
const ENTRIES = 10;
/** Longer than the wait of a key that is held down. */
const BETWEEN_KEYS_MS = 400;
const VIEWPORT = { width: 1440, height: 900 };

/**
 * Measures navigation in a production build with the demonstration's data: clicks on every link of the sidebar in turn, until
 * the new page's content is in the document.
 */
export async function navigationBench(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: "string", default: "7" } } });
  const rounds = Number(values.rounds);
  const server = await startSealwatch();
  const browser = await chromium.launch(await findBrowser());
  try {
    const cookie = await createDemonstration(server);
    // Its 90 days are made within a minute. In days of real use, PostgreSQL would have done this gradually.
    for (const database of ["app", "audit"] as const) await query(server, database, "VACUUM ANALYZE");
    const page = await openPage(browser, server.url, cookie);
    print(await measure(page, rounds), rounds);
    printNext(await measureNext(page, rounds * ENTRIES));
  } finally {
    await browser.close();
    await server.destroy();
  }
}

async function openPage(browser: Browser, url: string, cookie: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: VIEWPORT });
  const at = cookie.indexOf("=");
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url }]);
  const page = await context.newPage();
  await page.goto("/", { waitUntil: "networkidle" });
  return page;
}

/** Milliseconds from the key until the next entry's own fields are in the document, and until its body and context are, too. */
interface Next {
  shown: number;
  whole: number;
}

/** Opens the newest entry of the audit log, and then the next ones by `j`. */
async function measureNext(page: Page, count: number): Promise<Next[]> {
  await page.goto("/audit-logs", { waitUntil: "networkidle" });
  await page.locator("a[data-row]").first().click();
  await page.locator("[aria-label=Entry] [aria-busy=true]").waitFor({ state: "detached" });
  const taken: Next[] = [];
  // The first ones load code.
  for (let entry = -ENTRIES; entry < count; entry++) {
    await page.waitForTimeout(BETWEEN_KEYS_MS);
    const next = await page.evaluateHandle(watchEntry);
    await page.keyboard.press("j");
    const passed = await next.evaluate(({ done }) => done);
    if (entry >= 0) taken.push(passed);
  }
  return taken;
}

/** Runs in the page: from the next key on, watches the drawer until it has another entry, and nothing of it is loading. */
function watchEntry(): { done: Promise<Next> } {
  const before = document.querySelector("[aria-label='Open as a page']")?.getAttribute("href");
  const done = new Promise<Next>((resolve) => {
    let pressed = Number.NaN;
    let shown = Number.NaN;
    const observer = new MutationObserver(() => {
      if (document.querySelector("[aria-label='Open as a page']")?.getAttribute("href") === before) return;
      const passed = performance.now() - pressed;
      if (Number.isNaN(shown)) shown = passed;
      if (document.querySelector("[aria-label=Entry] [aria-busy=true]") !== null) return;
      observer.disconnect();
      resolve({ shown, whole: passed });
    });
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        pressed = timeStamp;
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      },
      { capture: true, once: true },
    );
  });
  return { done };
}

/** Visits every page of the sidebar, from the last to the first, once to warm up and then `rounds` times. */
async function measure(page: Page, rounds: number): Promise<Map<string, Taken[]>> {
  const taken = new Map<string, Taken[]>();
  for (let round = -1; round < rounds; round++) {
    for (const { href, label } of navigation.flatMap(({ entries }) => entries).toReversed()) {
      const one = await navigate(page, href, label);
      if (round >= 0) taken.set(label, [...(taken.get(label) ?? []), one]);
    }
  }
  return taken;
}

async function navigate(page: Page, href: string, label: string): Promise<Taken> {
  const taken = await page.evaluateHandle(watch, href);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: label }).click();
  return taken.evaluate(({ done }) => done);
}

/** Runs in the page: watches the document from the next click on. It has no inner functions with names, which tsx would wrap. */
function watch(href: string): { done: Promise<Taken> } {
  const done = new Promise<Taken>((resolve) => {
    let clicked = Number.NaN;
    let content = Number.NaN;
    const observer = new MutationObserver(() => {
      const [heading, data, loading] = [
        "h1",
        ":is(header ~ :not(nav, div), header ~ div :not(nav, nav *, div))",
        "[aria-busy=true]",
      ].map((selector) =>
        [...document.querySelectorAll(`main ${selector}`)].some(
          (element) => element.checkVisibility() && element.parentElement?.closest("[aria-busy=true]") === null,
        ),
      );
      if (location.pathname !== href || !heading || !data) return;
      const passed = performance.now() - clicked;
      if (Number.isNaN(content)) content = passed;
      if (loading) return;
      observer.disconnect();
      resolve({ content, whole: passed });
    });
    addEventListener(
      "click",
      ({ timeStamp }) => {
        clicked = timeStamp;
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
      },
      { capture: true, once: true },
    );
  });
  return { done };
}

function print(taken: ReadonlyMap<string, readonly Taken[]>, rounds: number): void {
  const [load = 0] = loadavg();
  process.stdout.write(`${cpus().length} cores, load ${load.toFixed(1)}; ${rounds} rounds\n\n`);
  row("page", "content, median", "p95", "all of it, median", "p95");
  row("---", "---:", "---:", "---:", "---:");
  const figures = (values: readonly Taken[]) =>
    (["content", "whole"] as const).flatMap((part) =>
      [0.5, 0.95].map((share) =>
        ms(
          percentile(
            values.map((one) => one[part]),
            share,
          ),
        ),
      ),
    );
  for (const [label, values] of taken) row(label, ...figures(values));
  row("every page", ...figures([...taken.values()].flat()));
}

function printNext(taken: readonly Next[]): void {
  process.stdout.write(`\n${taken.length} entries of the audit log, each opened by j from the one before:\n\n`);
  row("", "median", "p95");
  row("---", "---:", "---:");
  for (const [part, words] of [
    ["shown", "until the next entry is shown"],
    ["whole", "until its body and context are, too"],
  ] as const) {
    const values = taken.map((one) => one[part]);
    row(words, ...[0.5, 0.95].map((share) => ms(percentile(values, share))));
  }
}

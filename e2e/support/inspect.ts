import axe, { type RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/journey";

/** The violations that axe-core finds in a part of the current page: rule and element. */
async function violations(page: Page, part: string, rules?: string[]): Promise<string[]> {
  const options: RunOptions = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return page.evaluate(
    async ([part, options]) => {
      const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
      const { violations } = await axe.run(part, options);
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`));
    },
    [part, options] as const,
  );
}

/** All rules in the light theme; in the dark theme only the rules about colours. */
export async function inspect(page: Page, what: string, part = "html"): Promise<void> {
  await test.step(`${what} is in order`, async () => {
    await page.evaluate(axe.source);
    expect.soft(await violations(page, part), what).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, `${what} does not scroll sideways`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await page.emulateMedia({ colorScheme: "dark" });
    expect.soft(await violations(page, part, ["color-contrast"]), `${what}, dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  });
}

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

/**
 * The controls that a click at their centre does not reach, because another element is in front of them or they are cut off. Links
 * may end in an ellipsis and are tried at their start. While a dialog or a menu is open, only its controls count.
 */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollX, scrollY } = window;
    const part = [...document.querySelectorAll("dialog:modal, [role=menu]:popover-open")].at(-1) ?? document;
    const controls = [...part.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")];
    const unreached = controls.filter((control) => {
      if (!control.checkVisibility({ visibilityProperty: true }) || control.closest("[inert]")) return false;
      control.scrollIntoView({ block: "center", behavior: "instant" });
      const [box] = control.getClientRects();
      // What only screen readers find, such as the link that skips the navigation, is a pixel wide.
      if (!box || box.width <= 1) return false;
      const x = box.left + (control.localName === "a" ? Math.min(box.width / 2, 8) : box.width / 2);
      const front = document.elementFromPoint(x, box.top + box.height / 2);
      const label =
        control instanceof HTMLInputElement && [...(control.labels ?? [])].find((each) => each.contains(front));
      return !control.contains(front) && !label;
    });
    window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return unreached.map(({ outerHTML }) => outerHTML.slice(0, 200));
  });
}

/** All rules in the light theme; in the dark theme only the rules about colours. */
export async function inspect(page: Page, what: string, part = "html"): Promise<void> {
  await test.step(`${what} is in order`, async () => {
    await page.evaluate(axe.source);
    expect.soft(await violations(page, part), what).toEqual([]);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(width, `${what} does not scroll sideways`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    expect.soft(await covered(page), `${what}: a click reaches every control`).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect.soft(await violations(page, part, ["color-contrast"]), `${what}, dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  });
}

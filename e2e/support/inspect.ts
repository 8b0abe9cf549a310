import { readFileSync } from "node:fs";
import type { RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/journey";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

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
 * The controls that a click at their centre does not reach, each with the element in front of it: it covers the control, or cuts it
 * off. Links may end in an ellipsis and are tried at their start. What floats above the page, such as a toast, may cover it. While a
 * dialog or a menu is open, only its controls count.
 */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollX, scrollY } = window;
    const part = [...document.querySelectorAll("dialog:modal, [role=menu]:popover-open")].at(-1) ?? document;
    const controls = [...part.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea, summary")];
    const found = controls.flatMap((control) => {
      // What only screen readers find, such as the link that skips the navigation, is clipped to nothing.
      const isHidden =
        !control.checkVisibility({ visibilityProperty: true }) || getComputedStyle(control).clipPath !== "none";
      if (isHidden || control.closest("[inert]")) return [];
      const inFront = () => {
        const [box] = control.getClientRects();
        if (!box) return control;
        const x = box.left + (control.localName === "a" ? Math.min(box.width / 2, 8) : box.width / 2);
        return document.elementFromPoint(x, box.top + box.height / 2);
      };
      const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : [];
      const isReached = (front: Element | null) => [control, ...labels].some((each) => each.contains(front));
      if (isReached(inFront())) return [];
      // Scrolling makes the browser lay out the page anew, so only where a click fails without.
      control.scrollIntoView({ block: "center", behavior: "instant" });
      const front = inFront();
      if (isReached(front)) return [];
      let floating = front;
      while (floating && getComputedStyle(floating).position !== "fixed") floating = floating.parentElement;
      if (floating && !floating.contains(control)) return [];
      return [`${control.outerHTML.slice(0, 200)}\nbehind ${front?.outerHTML.slice(0, 200)}`];
    });
    window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return found;
  });
}

/** Nothing scrolls sideways, and a click reaches every control. */
export async function expectWithinReach(page: Page, what: string): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(width, `${what} does not scroll sideways`).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  expect.soft(await covered(page), `${what}: a click reaches every control`).toEqual([]);
}

type Theme = "light" | "dark";

/** In the light theme by all rules, and in the dark theme, which only has other colours, by the rules about colours. */
export async function inspect(
  page: Page,
  what: string,
  part = "html",
  themes: readonly Theme[] = ["light", "dark"],
): Promise<void> {
  await test.step(`${what} is in order`, async () => {
    if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
    if (themes.includes("light")) {
      expect.soft(await violations(page, part), what).toEqual([]);
      await expectWithinReach(page, what);
    }
    if (themes.includes("dark")) {
      await page.emulateMedia({ colorScheme: "dark" });
      expect.soft(await violations(page, part, ["color-contrast"]), `${what}, dark`).toEqual([]);
      await page.emulateMedia({ colorScheme: "light" });
    }
  });
}

import { pageActions } from "@/components/palette/page-actions";

/** Longer than a page needs to load; afterwards, the person is doing something else. */
const TIMEOUT_MS = 10_000;

let stop: (() => void) | null = null;

/** Presses a button in the header of the page `href` as soon as the page is shown. Call it when the page is being opened. */
export function pressOnPage(href: string, label: string): void {
  stop?.();
  const press = () => {
    if (location.pathname !== href) return;
    const action = pageActions().find((each) => each.label === label && each.reason === null);
    if (action === undefined) return;
    stop?.();
    action.press();
  };
  const observer = new MutationObserver(press);
  const timer = setTimeout(() => stop?.(), TIMEOUT_MS);
  stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    stop = null;
  };
  observer.observe(document.body, { childList: true, subtree: true });
  press();
}

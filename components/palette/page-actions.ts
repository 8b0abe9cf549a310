/** Something that the page below offers at its top: what it is called there, why it is off, and pressing it. */
export interface PageAction {
  label: string;
  reason: string | null;
  press: () => void;
}

/** Reads the buttons and links of the page's header, so that a page's actions are in the palette without being told twice. */
export function pageActions(): PageAction[] {
  const controls = document.querySelectorAll<HTMLElement>("#content [data-actions] :is(button, a[href])");
  return [...controls].flatMap((control) => {
    const label = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
    if (label === "" || control.closest("[popover]") !== null || control.offsetParent === null) return [];
    const isOff = control.getAttribute("aria-disabled") === "true";
    const described = document.getElementById(control.getAttribute("aria-describedby") ?? "");
    return {
      label,
      reason: isOff ? (described?.textContent ?? "Not now") : null,
      press: () => {
        // So that a dialog which it opens gives the focus back to it.
        control.focus();
        control.click();
      },
    };
  });
}

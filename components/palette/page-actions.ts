/** An action in the header of the page: its label, the reason if it is disabled, and a function that triggers it. */
interface PageAction {
  label: string;
  reason: string | null;
  press: () => void;
}

/** Reads the buttons and links of the page header, so that the palette offers them without a second definition. */
export function pageActions(): PageAction[] {
  const controls = document.querySelectorAll<HTMLElement>("#content [data-actions] :is(button, a[href])");
  return [...controls].flatMap((control) => {
    const label = (control.getAttribute("aria-label") ?? control.textContent ?? "").trim();
    if (label === "" || control.closest("[popover]") !== null || control.offsetParent === null) return [];
    const isOff = control.getAttribute("aria-disabled") === "true";
    const described = document.getElementById(control.getAttribute("aria-describedby") ?? "");
    return {
      label,
      reason: isOff ? (described?.textContent ?? "Not available") : null,
      press: () => {
        // A dialog that it opens can then return the focus to it.
        control.focus();
        control.click();
      },
    };
  });
}

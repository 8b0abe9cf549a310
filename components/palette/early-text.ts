import { show } from "@/components/palette/opened";

/** Longer than anything that the palette recognizes. */
const MAX_LENGTH = 1000;

let text = "";

/**
 * Keeps a key that was pressed after the palette was asked for and before its code has arrived: it would be lost, or be a
 * shortcut of the page. Escape gives the palette up.
 */
export function keepKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    text = "";
    show(null);
  } else if (event.key === "Backspace") {
    text = text.slice(0, -1);
  } else if (event.key.length === 1) {
    text = (text + event.key).slice(0, MAX_LENGTH);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

/** The same of what was pasted. */
export function keepPasted(event: ClipboardEvent): void {
  text = (text + (event.clipboardData?.getData("text/plain") ?? "")).slice(0, MAX_LENGTH);
  event.preventDefault();
  event.stopPropagation();
}

/** The kept text, for the palette that has arrived. Forgets it. */
export function takeEarlyText(): string {
  const taken = text;
  text = "";
  return taken;
}

const GAP_PX = 4;
const MARGIN_PX = 8;
const ENOUGH_PX = 320;

/**
 * Positions a popover at its anchor and within the screen: below if there is room, otherwise above. `start` aligns the left edges
 * and `end` the right ones, unless that leaves too little room.
 */
export function positionPopover(popover: HTMLElement, anchor: Element, align: "start" | "end"): void {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const { top, bottom, left, right } = anchor.getBoundingClientRect();
  const roomBelow = height - bottom - GAP_PX - MARGIN_PX;
  const roomAbove = top - GAP_PX - MARGIN_PX;
  const isBelow = roomBelow >= ENOUGH_PX || roomBelow >= roomAbove;
  const isStart = align === "start" ? left < width * 0.7 : right < width * 0.3;
  const fromLeft = Math.max(MARGIN_PX, left);
  const fromRight = Math.max(MARGIN_PX, width - right);
  const { style } = popover;
  style.top = isBelow ? `${bottom + GAP_PX}px` : "auto";
  style.bottom = isBelow ? "auto" : `${height - top + GAP_PX}px`;
  style.left = isStart ? `${fromLeft}px` : "auto";
  style.right = isStart ? "auto" : `${fromRight}px`;
  style.maxHeight = `${Math.max(0, isBelow ? roomBelow : roomAbove)}px`;
  style.maxWidth = `${width - MARGIN_PX - (isStart ? fromLeft : fromRight)}px`;
}

"use client";

import { type RefObject, useEffect, useEffectEvent } from "react";

const ROW_LINK = "a[data-row]";
/** What covers the top of the screen: the frame's bar on phones, and the heading of the table. */
const COVERED_PX = 56;
/** Frames in which scrolling renders a row, also on a slow device. */
const MAX_FRAMES = 60;
/** By table: the index of the row that gets the focus once it is rendered. Keys that are pressed meanwhile go on from there. */
const awaited = new WeakMap<HTMLElement, number>();
const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** The index of the row around an element, by its `aria-rowindex`: the heading is 1, the first row 2. */
function indexOf(element: Element): number {
  return Number(element.closest("tr")?.getAttribute("aria-rowindex")) - 2;
}

/**
 * j and k work anywhere on the page, the arrow keys only in a row. For tables whose rows have `aria-rowindex`, of which not all
 * need to exist. `focusRow` gets an index, which may be beyond either end.
 */
export function useRowKeys(frame: RefObject<HTMLElement | null>, focusRow: (index: number) => void): void {
  const act = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as Element;
    const row = frame.current?.contains(target) ? target.closest(ROW_LINK) : null;
    const isLetter = event.key.length === 1;
    const isTyped = target.closest("input, textarea, select, dialog, [role=menu], [data-keys]") !== null;
    const next = isTyped || frame.current === null ? undefined : awaited.get(frame.current);
    if (!row && (isTyped || (!isLetter && next === undefined))) return;
    event.preventDefault();
    const from = next ?? (row ? indexOf(row) : undefined);
    focusRow(from === undefined ? firstSeen(frame.current) : from + step);
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => act(event);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

/** The index of the topmost visible row. */
function firstSeen(frame: HTMLElement | null): number {
  const links = [...(frame?.querySelectorAll(ROW_LINK) ?? [])];
  const seen = links.find((link) => link.getBoundingClientRect().top > COVERED_PX);
  return seen ? indexOf(seen) : 0;
}

/** Moves the focus to a row that has been scrolled into view, immediately or once scrolling has rendered it. */
export function focusRowLink(frame: HTMLElement | null, index: number): void {
  if (frame === null) return;
  const focus = () => {
    const link = frame.querySelector<HTMLElement>(`tr[aria-rowindex="${index + 2}"] ${ROW_LINK}`);
    link?.focus({ preventScroll: true });
    return link !== null;
  };
  const focusWithin = (frames: number) => {
    if (awaited.get(frame) !== index) return;
    if (focus() || frames === 0) awaited.delete(frame);
    else requestAnimationFrame(() => focusWithin(frames - 1));
  };
  awaited.set(frame, index);
  // Immediately if possible, so that a following Enter opens this row.
  focusWithin(MAX_FRAMES);
}

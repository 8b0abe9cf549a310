"use client";

import { createContext, type ReactNode, use, useEffect, useEffectEvent, useRef, useState } from "react";
import { plural } from "@/lib/text/counts";

interface Selection {
  /** The selectable rows, in the order of the table. */
  ids: readonly string[];
  selected: ReadonlySet<string>;
  /** Selects a row or not; with `isRange`, all rows from the previous one to this one. */
  toggle: (id: string, isSelected: boolean, isRange: boolean) => void;
  /** Selects exactly these rows. */
  select: (ids: readonly string[]) => void;
}

const Context = createContext<Selection | null>(null);

/** The selection of the table around. Throws outside of `Selectable`. */
export function useSelection(): Selection {
  const selection = use(Context);
  if (selection === null) throw new Error("only in a Selectable");
  return selection;
}

const BOX = "input[data-select]";

/**
 * Lets people select rows of the table in it: a click on a box, a range with Shift, `x` for the row with the focus, Escape for none.
 * `bar` has the actions and is shown while rows are selected. The selection ends with the rows: those of another page are not part of it.
 */
export function Selectable({
  ids,
  noun,
  bar,
  children,
}: {
  ids: readonly string[];
  /** Of one row: "endpoint". */
  noun: string;
  bar: ReactNode;
  children: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const last = useRef<string | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const selected = new Set(ids.filter((id) => chosen.has(id)));
  const toggle: Selection["toggle"] = (id, isSelected, isRange) => {
    const [from, to] = [ids.indexOf(last.current ?? ""), ids.indexOf(id)];
    const range = isRange && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    last.current = id;
    const others = [...selected].filter((each) => !range.includes(each));
    setChosen(new Set(isSelected ? [...others, ...range] : others));
  };
  const select = (some: readonly string[]) => setChosen(new Set(some));
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element;
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (target.closest("dialog, [popover], textarea, select, input:not([type=checkbox])")) return;
    if (event.key === "Escape" && selected.size > 0) return select([]);
    const id = frame.current?.contains(target)
      ? target.closest("tr")?.querySelector<HTMLElement>(BOX)?.dataset.select
      : "";
    if (event.key.toLowerCase() !== "x" || !id) return;
    event.preventDefault();
    toggle(id, event.shiftKey || !selected.has(id), event.shiftKey);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <Context value={{ ids, selected, toggle, select }}>
      <div ref={frame}>{children}</div>
      <p role="status" className="sr-only">
        {selected.size > 0 && `${selected.size} of ${plural(ids.length, noun)} selected`}
      </p>
      {selected.size > 0 && bar}
    </Context>
  );
}

const box = "block size-4 accent-seal";

/** The box of a row. */
export function SelectBox({ id, name }: { id: string; name: string }) {
  const { selected, toggle } = useSelection();
  return (
    <input
      type="checkbox"
      data-select={id}
      aria-label={`Select ${name}`}
      className={box}
      checked={selected.has(id)}
      // Otherwise a range also selects the text of its rows.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onChange={({ target, nativeEvent }) =>
        toggle(id, target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}

/** The box of all rows shown. */
export function SelectAll({ noun }: { noun: string }) {
  const { ids, selected, select } = useSelection();
  const isAll = selected.size === ids.length && ids.length > 0;
  return (
    <input
      ref={(element) => {
        if (element) element.indeterminate = selected.size > 0 && !isAll;
      }}
      type="checkbox"
      data-select-all=""
      aria-label={`Select all ${noun}s shown`}
      className={box}
      checked={isAll}
      onChange={() => select(isAll ? [] : ids)}
    />
  );
}

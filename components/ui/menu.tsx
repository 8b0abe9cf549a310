"use client";

import { Check } from "lucide-react";
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { cx } from "@/components/ui/cx";
import { positionPopover } from "@/components/ui/position-popover";

const ITEM = "[role^=menuitem]";

/** The class names of a floating menu. */
export const menuClass =
  "inset-auto min-w-40 animate-appear overflow-y-auto whitespace-nowrap rounded-md bg-panel p-1 text-left empty:hidden font-normal font-sans text-base text-ink shadow-float outline-none";

const item =
  "flex h-7 w-full select-none items-center gap-2 rounded-sm px-2 text-left outline-none focus:bg-sunken aria-disabled:cursor-default aria-disabled:text-third pointer-coarse:h-10";

/** A menu that opens from `trigger`, which must be a button. A native popover; its items are rendered only while it is open. */
export function Menu({
  trigger,
  align = "end",
  wide = false,
  children,
}: {
  trigger: ReactElement<ComponentProps<"button">>;
  align?: "start" | "end";
  /** At least as wide as the trigger. */
  wide?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const first = useRef<"none" | "first" | "last">("none");
  useEffect(() => {
    // A click before hydration has opened it empty.
    if (!menu.current?.matches(":popover-open")) return;
    menu.current.hidePopover();
    menu.current.showPopover();
  }, []);
  useEffect(() => {
    if (!open) return;
    const anchor = document.getElementById(`${id}-trigger`);
    const where = () => {
      const { left, top } = anchor?.getBoundingClientRect() ?? { left: 0, top: 0 };
      return `${Math.round(left)} ${Math.round(top)}`;
    };
    const placed = where();
    // Close it only if the scroll or resize moved its trigger.
    const close = () => {
      if (where() !== placed) menu.current?.hidePopover();
    };
    for (const cause of ["scroll", "resize"]) window.addEventListener(cause, close, true);
    return () => {
      for (const cause of ["scroll", "resize"]) window.removeEventListener(cause, close, true);
    };
  }, [open, id]);
  const button = cloneElement(trigger, {
    id: `${id}-trigger`,
    popoverTarget: id,
    "aria-haspopup": "menu",
    "aria-expanded": open,
    onClick: (event) => {
      // A key press is a click with a count of 0.
      first.current = event.detail === 0 ? "first" : "none";
    },
    onKeyDown: (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      first.current = event.key === "ArrowDown" ? "first" : "last";
      menu.current?.showPopover({ source: event.currentTarget });
    },
  });
  return (
    <>
      {button}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-trigger`}
        onBeforeToggle={(event) => {
          if (event.newState !== "open") return;
          const anchor = document.getElementById(`${id}-trigger`);
          if (!anchor) return;
          if (wide) event.currentTarget.style.minWidth = `${anchor.offsetWidth}px`;
          positionPopover(event.currentTarget, anchor, align);
          flushSync(() => setOpen(true));
        }}
        onToggle={(event) => {
          if (event.newState === "closed") return setOpen(false);
          const entries = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM)];
          const entry = { none: event.currentTarget, first: entries[0], last: entries.at(-1) }[first.current];
          entry?.focus({ preventScroll: true });
        }}
        onKeyDown={onMenuKey}
        className={menuClass}
      >
        {open && children}
      </div>
    </>
  );
}

/** The keys of the ARIA menu pattern: arrows, Home, End, the first letter of an item; Tab closes the menu. */
export function onMenuKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === "Tab") event.currentTarget.hidePopover();
  const items = [...event.currentTarget.querySelectorAll(ITEM)].filter((each) => each instanceof HTMLElement);
  const at = items.findIndex((each) => each.matches(":focus"));
  const turned = [...items.slice(at + 1), ...items.slice(0, Math.max(at, 0))];
  const next =
    event.key === "ArrowDown"
      ? items[Math.min(at + 1, items.length - 1)]
      : event.key === "ArrowUp"
        ? items[at < 0 ? items.length - 1 : Math.max(at - 1, 0)]
        : event.key === "Home"
          ? items[0]
          : event.key === "End"
            ? items.at(-1)
            : event.key.length === 1 && event.key !== " " && !event.metaKey && !event.ctrlKey && !event.altKey
              ? turned.find((each) => each.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))
              : undefined;
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

function MenuButton({ onSelect, ...rest }: ComponentProps<"button"> & { onSelect: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      {...rest}
      // Enter activates the item under the pointer.
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={(event) => {
        if (rest["aria-disabled"]) return;
        // Before `onSelect`: a dialog opened by it returns the focus to the element that had it.
        const menu = event.currentTarget.closest<HTMLElement>("[role=menu]");
        const trigger = document.getElementById(menu?.getAttribute("aria-labelledby") ?? "");
        menu?.hidePopover();
        trigger?.focus({ preventScroll: true });
        onSelect();
      }}
    />
  );
}

export function MenuItem({
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <MenuButton
      role="menuitem"
      aria-disabled={disabled || undefined}
      onSelect={onSelect}
      className={cx(item, danger && "text-bad")}
    >
      {children}
    </MenuButton>
  );
}

/** A group of choices, of which one is selected. */
export function MenuChoice<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
}) {
  return (
    <MenuGroup label={label}>
      {choices.map((choice) => (
        <MenuButton
          key={choice.value}
          role="menuitemradio"
          aria-checked={choice.value === value}
          onSelect={() => onChange(choice.value)}
          className={item}
        >
          <span className="min-w-0 flex-1 truncate">{choice.label}</span>
          {choice.value === value && <Check size={14} className="text-seal" aria-hidden="true" />}
        </MenuButton>
      ))}
    </MenuGroup>
  );
}

/** A named group of items. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a menu
    <div role="group" aria-label={label}>
      <MenuLabel>{label}</MenuLabel>
      {children}
    </div>
  );
}

/** A choice that can be checked; the menu stays open. */
export function MenuCheck({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      role="menuitemcheckbox"
      aria-checked={checked}
      tabIndex={-1}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={() => onChange(!checked)}
      className={item}
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked && <Check size={14} className="text-seal" aria-hidden="true" />}
    </button>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2 py-1 text-third text-xs">{children}</div>;
}

export function MenuLine() {
  return <hr className="-mx-1 my-1 border-t" />;
}

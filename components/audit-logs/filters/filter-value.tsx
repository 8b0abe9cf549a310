"use client";

import { createContext, type ReactNode, use, useState } from "react";
import { filterFields, isFilter } from "@/components/audit-logs/filters/filter-fields";
import { parseFilter, withoutValue, withValue } from "@/components/audit-logs/filters/filter-values";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { copy } from "@/components/ui/copy-button";
import { cx } from "@/components/ui/cx";
import { FloatingMenu } from "@/components/ui/floating-menu";
import { MenuItem, MenuLabel } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import { writeValue } from "@/lib/text/value-list";

/** A value that opens a menu to filter by it or to exclude it. `words` is its display name. */
export function FilterValue({
  name,
  value,
  words = value,
  title = "Filter by this value",
  loadTitle,
  className,
  tabIndex,
  children,
}: {
  name: string;
  value: string;
  words?: string;
  title?: string;
  /** Loads the title when the pointer is over the value. */
  loadTitle?: () => Promise<string>;
  className?: string;
  /** -1 in tables, where each row is a single tab stop; the entry offers the same values. */
  tabIndex?: -1;
  children: ReactNode;
}) {
  const openMenu = useValueMenu();
  return (
    <button
      type="button"
      title={title}
      aria-haspopup="menu"
      {...(tabIndex !== undefined && { tabIndex })}
      onPointerEnter={({ currentTarget: button }) =>
        loadTitle?.().then(
          (loaded) => {
            button.title = loaded;
          },
          () => {},
        )
      }
      onClick={(event) => openMenu({ anchor: event.currentTarget, name, value, words })}
      className={cx(
        "max-w-full truncate rounded-xs text-left align-bottom decoration-third underline-offset-2 hover:underline",
        className,
      )}
    >
      {children}
    </button>
  );
}

interface Opened {
  anchor: HTMLElement;
  name: string;
  value: string;
  words: string;
}

const Context = createContext<((opened: Opened) => void) | null>(null);

function useValueMenu() {
  const open = use(Context);
  if (open === null) throw new Error("there is no ValueMenuProvider above");
  return open;
}

/** One menu shared by all values below it, because a table holds hundreds of them. */
export function ValueMenuProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  return (
    <Context value={setOpened}>
      {children}
      <FloatingMenu anchor={opened?.anchor ?? null} label="Value actions" onClose={() => setOpened(null)}>
        {opened && <ValueChoices name={opened.name} value={opened.value} words={opened.words} />}
      </FloatingMenu>
    </Context>
  );
}

/** The menu items of a value. */
function ValueChoices({ name, value, words }: { name: string; value: string; words: string }) {
  const { asked: params, go } = useExplorerView();
  const label = isFilter(name) ? filterFields[name].label : name;
  const isSingle = isFilter(name) && filterFields[name].single === true;
  const { include, exclude } = isSingle ? { include: [params[name] ?? ""], exclude: [] } : parseFilter(params[name]);
  const isAsked = include.includes(value) || exclude.includes(value);
  return (
    <>
      <MenuLabel>
        {label}: <span className="font-mono">{words.length > 48 ? `${words.slice(0, 48)}…` : words}</span>
      </MenuLabel>
      <MenuItem onSelect={() => go({ [name]: isSingle ? value : writeValue(value, false) })}>
        Filter by this value
      </MenuItem>
      {!isSingle && include.length > 0 && !isAsked && (
        <MenuItem onSelect={() => go({ [name]: withValue(params[name], value, false) })}>Add this value</MenuItem>
      )}
      {!isSingle && !exclude.includes(value) && (
        <MenuItem onSelect={() => go({ [name]: withValue(params[name], value, true) })}>Exclude this value</MenuItem>
      )}
      {isAsked && (
        <MenuItem onSelect={() => go({ [name]: isSingle ? null : withoutValue(params[name], value) })}>
          Remove from filter
        </MenuItem>
      )}
      <MenuItem
        onSelect={async () => showToast((await copy(value)) ? "Value copied." : "The value could not be copied.")}
      >
        Copy value
      </MenuItem>
    </>
  );
}

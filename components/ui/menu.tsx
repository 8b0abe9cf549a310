"use client";

import { Check } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";

const item =
  "flex h-7 cursor-default select-none items-center gap-2 rounded-sm px-2 outline-none data-[disabled]:text-third data-[highlighted]:bg-sunken pointer-coarse:h-10";

/** A menu that opens from `trigger`, which must be a button. */
export function Menu({
  trigger,
  align = "end",
  wide = false,
  children,
}: {
  trigger: ReactNode;
  align?: "start" | "end";
  /** As wide as the trigger at least. */
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cx(
            "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 animate-appear overflow-y-auto rounded-md bg-panel p-1 shadow-float",
            wide && "min-w-(--radix-dropdown-menu-trigger-width)",
          )}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
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
    <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={cx(item, danger && "text-bad")}>
      {children}
    </DropdownMenu.Item>
  );
}

/** One of several, of which one is chosen. */
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
    <DropdownMenu.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const choice = choices.find((each) => each.value === next);
        if (choice) onChange(choice.value);
      }}
    >
      <MenuLabel>{label}</MenuLabel>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={item}>
          <span className="min-w-0 flex-1 truncate">{choice.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check size={14} className="text-seal" aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 py-1 text-third text-xs">{children}</DropdownMenu.Label>;
}

export function MenuLine() {
  return <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />;
}

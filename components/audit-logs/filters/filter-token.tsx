"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { filterFields, isFilter, type KnownValues, nameOf } from "@/components/audit-logs/filters/filter-fields";
import { invertFilter, parseFilter, withoutValue } from "@/components/audit-logs/filters/filter-values";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { Menu, MenuItem } from "@/components/ui/menu";

/** An active filter in words: its menu changes it, the cross removes it. */
export function FilterToken({
  name,
  text,
  known,
  onEdit,
}: {
  name: string;
  text: string;
  known: KnownValues;
  onEdit: (name: string) => void;
}) {
  const { hrefOf, go } = useExplorerView();
  const field = isFilter(name) ? filterFields[name] : { label: name, single: undefined };
  const isText = field.single === true;
  const { include, exclude } = isText ? { include: [text], exclude: [] } : parseFilter(text);
  const names = (values: string[]) => values.map((value) => nameOf(name, value, known));
  const isNot = include.length === 0 && exclude.length > 0;
  const words = isNot
    ? names(exclude).join(", ")
    : [...names(include), ...names(exclude).map((each) => `not ${each}`)].join(", ");
  const values = [...include, ...exclude];
  return (
    <li className="flex h-6 min-w-0 max-w-full items-center rounded-sm border bg-sunken pointer-coarse:h-8">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex h-full min-w-0 items-center rounded-sm pl-1.5"
            title="Change this filter"
          >
            <span className="mr-1.5 shrink-0 text-second">
              {field.label}
              {isNot && " is not"}
            </span>{" "}
            <span className="truncate">{words}</span>
          </button>
        }
      >
        {!isText && (
          <MenuItem onSelect={() => go({ [name]: invertFilter(text) })}>
            {isNot ? "Change to “is”" : "Change to “is not”"}
          </MenuItem>
        )}
        <MenuItem onSelect={() => onEdit(name)}>Edit as text</MenuItem>
        {values.length > 1 &&
          values.map((value) => (
            <MenuItem key={value} onSelect={() => go({ [name]: withoutValue(text, value) })}>
              Remove {nameOf(name, value, known)}
            </MenuItem>
          ))}
      </Menu>
      <Link
        prefetch={false}
        href={hrefOf({ [name]: null })}
        aria-label={`Remove the filter ${field.label}`}
        className="grid size-6 shrink-0 place-items-center text-third hover:text-ink"
      >
        <X size={12} aria-hidden="true" />
      </Link>
    </li>
  );
}

"use client";

import { X } from "lucide-react";
import { ChangeFilters, type FilterTarget } from "@/components/audit-logs/filters/change-filters";
import { filterFields, isFilter, type KnownValues, nameOf } from "@/components/audit-logs/filters/filter-fields";
import { invertFilter, withoutValue } from "@/components/audit-logs/filters/filter-values";
import { filterWords } from "@/components/audit-logs/filters/filter-words";
import { Menu, MenuItem } from "@/components/ui/menu";

/** An active filter in words: its menu changes it, the cross removes it. */
export function FilterToken({
  name,
  text,
  known,
  onChange,
  hrefOf,
  onEdit,
}: FilterTarget & {
  name: string;
  text: string;
  known: KnownValues;
  onEdit: (name: string) => void;
}) {
  const { label, words, isNot, values } = filterWords(name, text, known);
  const isText = isFilter(name) && filterFields[name].single === true;
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
            <span className="mr-1.5 shrink-0 text-second">{label}</span> <span className="truncate">{words}</span>
          </button>
        }
      >
        {!isText && (
          <MenuItem onSelect={() => onChange({ [name]: invertFilter(text) })}>
            {isNot ? "Change to “is”" : "Change to “is not”"}
          </MenuItem>
        )}
        <MenuItem onSelect={() => onEdit(name)}>Edit as text</MenuItem>
        {values.length > 1 &&
          values.map((value) => (
            <MenuItem key={value} onSelect={() => onChange({ [name]: withoutValue(text, value) })}>
              Remove {nameOf(name, value, known)}
            </MenuItem>
          ))}
      </Menu>
      <ChangeFilters
        label={`Remove the filter ${isFilter(name) ? filterFields[name].label : name}`}
        changes={{ [name]: null }}
        onChange={onChange}
        hrefOf={hrefOf}
        className="grid size-6 shrink-0 place-items-center text-third hover:text-ink"
      >
        <X size={12} aria-hidden="true" />
      </ChangeFilters>
    </li>
  );
}

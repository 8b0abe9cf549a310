"use client";

import Link from "next/link";
import type { FilterChanges } from "@/components/audit-logs/filters/change-filters";
import { FilterBox, type FilterNames } from "@/components/audit-logs/filters/filter-box";
import { isFilter } from "@/components/audit-logs/filters/filter-fields";
import { matchingEntries } from "@/components/audit-logs/views/matching-entries";
import { Field } from "@/components/ui/field";

/** The control of a form for filters of the audit log, with a link to the entries that match them. */
export function FilterField({
  known,
  filters,
  onChange,
  onTyping,
  hint,
  error,
  optional = false,
}: {
  known: FilterNames;
  filters: Record<string, string>;
  onChange: (filters: Record<string, string>) => void;
  /** Called when text is in the box that is not a filter yet. The form takes it when it is submitted. */
  onTyping?: (isTyping: boolean) => void;
  /** What happens to the entries that match. */
  hint: string;
  error: string | undefined;
  optional?: boolean;
}) {
  return (
    <Field
      label="Filter"
      optional={optional}
      error={error}
      hint={
        <>
          {hint}{" "}
          <Link
            prefetch={false}
            href={`/audit-logs?${matchingEntries(filters)}`}
            className="whitespace-nowrap text-seal hover:underline"
          >
            View these entries
          </Link>
        </>
      }
    >
      {(control) => (
        <FilterBox
          {...known}
          control={{ ...control, placeholder: "All entries" }}
          params={filters}
          onTyping={onTyping}
          onChange={(changes) => onChange(changedFilters(filters, changes))}
        />
      )}
    </Field>
  );
}

/** The filters after a change, without other parameters, such as a range of time. */
function changedFilters(filters: Readonly<Record<string, string>>, changes: FilterChanges): Record<string, string> {
  const changed = Object.entries({ ...filters, ...changes }).flatMap(([name, value]) =>
    value === null || (name in changes && !isFilter(name)) ? [] : [[name, value]],
  );
  return Object.fromEntries(changed) as Record<string, string>;
}

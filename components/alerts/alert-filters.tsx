"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { hrefWith } from "@/components/layout/href-with";
import { Select } from "@/components/ui/field";
import { severityLabels } from "@/lib/certificates/finding-labels";
import { severities } from "@/lib/certificates/findings";

const chips = ["subject_id", "certificate_id", "since", "until"];

/** The filters of the alert list, kept in the URL. */
export function AlertFilters({
  params,
  rules,
}: {
  params: Record<string, string>;
  rules: readonly { id: string; name: string }[];
}) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const go = (name: string, value: string) =>
    startTransition(() => router.push(hrefWith("/alerts", params, { [name]: value || null })));
  const others = chips.filter((name) => params[name] !== undefined);
  const choices = [
    {
      name: "severity",
      label: "Severity",
      any: "Any severity",
      options: severities.toReversed().map((value) => ({ value, label: severityLabels[value] })),
    },
    {
      name: "rule_id",
      label: "Rule",
      any: "Any rule",
      options: rules.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
  return (
    <search className="flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      {choices.map(({ name, label, any, options }) => {
        const value = params[name] ?? "";
        const isListed = value === "" || options.some((option) => option.value === value);
        return (
          <Select
            key={name}
            aria-label={label}
            value={value}
            onChange={(event) => go(name, event.target.value)}
            className={`w-auto! max-w-64 ${value === "" ? "text-second" : "font-medium"}`}
          >
            <option value="">{any}</option>
            {!isListed && <option value={value}>Deleted rule</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        );
      })}
      {others.map((name) => (
        <span key={name} className="flex h-6 max-w-full items-center rounded-sm border border-strong bg-panel pl-2">
          <span className="mr-1.5 text-second">{name}</span>
          <span className="truncate font-mono text-sm">{params[name]}</span>
          <Link
            prefetch={false}
            href={hrefWith("/alerts", params, { [name]: null })}
            aria-label={`Remove the filter ${name}`}
            className="ml-1 grid size-6 place-items-center text-third hover:text-ink"
          >
            <X size={12} aria-hidden="true" />
          </Link>
        </span>
      ))}
    </search>
  );
}

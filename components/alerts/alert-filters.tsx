"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { hrefWith } from "@/components/layout/href-with";
import { FilterSelects } from "@/components/table/filter-selects";
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
      unlisted: "Deleted rule",
    },
  ];
  return (
    <search className="flex flex-wrap items-center gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      <FilterSelects choices={choices} params={params} onChoose={go} />
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

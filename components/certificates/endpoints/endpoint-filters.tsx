"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { hrefWith } from "@/components/layout/href-with";
import { UrlInput } from "@/components/table/url-input";
import { Select } from "@/components/ui/field";
import { findingLabels } from "@/lib/certificates/finding-labels";
import { plural } from "@/lib/text/counts";

const coverage = [
  ["false", "Nobody is notified"],
  ["true", "Someone is notified"],
] as const;

/** The values to choose from, including the chosen one even if it is not offered any more. */
function withChosen(offered: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || offered.includes(chosen) ? offered : [chosen, ...offered];
}

const same = (value: string) => [value, value] as const;

/** The list's filters: text in the name, a tag, an owner, a finding, expiry, notifications. The URL holds the choice. */
export function EndpointFilters({
  chosen,
  tags,
  owners,
}: {
  chosen: Record<string, string>;
  tags: readonly string[];
  owners: readonly string[];
}) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const go = (changes: Record<string, string>) =>
    startTransition(() => router.push(hrefWith("/certificates", chosen, changes)));
  const search = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go({ q: String(new FormData(event.currentTarget).get("q")).trim() });
  };
  const choices = [
    { name: "tag", label: "Tag", any: "Any tag", options: withChosen(tags, chosen.tag).map(same) },
    { name: "owner", label: "Owner", any: "Any owner", options: withChosen(owners, chosen.owner).map(same) },
    { name: "finding", label: "Finding", any: "Any finding", options: Object.entries(findingLabels) },
    {
      name: "expires_within_days",
      label: "Expiry",
      any: "Any expiry",
      options: withChosen(["7", "14", "30", "90"], chosen.expires_within_days).map(
        (days) => [days, `Expires within ${plural(Number(days), "day")}`] as const,
      ),
    },
    { name: "covered", label: "Alerts", any: "Alerts: any", options: coverage },
  ];
  return (
    <search className="flex flex-wrap gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      <form onSubmit={search} className="min-w-48 max-w-72 flex-1 max-sm:max-w-none max-sm:basis-full">
        <UrlInput
          mono
          type="search"
          name="q"
          aria-label="Search endpoints"
          placeholder="Search hosts"
          value={chosen.q}
        />
      </form>
      {choices
        .filter(({ options }) => options.length > 0)
        .map(({ name, label, any, options }) => {
          const value = chosen[name] ?? "";
          return (
            <Select
              key={name}
              aria-label={label}
              value={value}
              onChange={(event) => go({ [name]: event.target.value })}
              className={`w-auto! max-w-44 max-sm:w-[calc(50%-0.25rem)]! ${value === "" ? "text-second" : "font-medium"}`}
            >
              <option value="">{any}</option>
              {options.map(([each, words]) => (
                <option key={each} value={each}>
                  {words}
                </option>
              ))}
            </Select>
          );
        })}
    </search>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { hrefWith } from "@/components/layout/href-with";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";

export interface Choice {
  name: string;
  /** The label of the empty choice. */
  label: string;
  options: readonly { value: string; label: string }[];
}

/** The filters of a list, held in the URL; with `search` also a text in the name. */
export function ListFilters({
  path,
  params,
  choices,
  search = false,
}: {
  path: string;
  params: Record<string, string>;
  choices: readonly Choice[];
  search?: boolean;
}) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  // A cursor is only valid with the filters it was created with.
  const go = (name: string, value: string) =>
    startTransition(() => router.push(hrefWith(path, params, { [name]: value || null, cursor: null })));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go("q", String(new FormData(event.currentTarget).get("q")).trim());
  };
  return (
    <search className="flex flex-wrap gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      {search && (
        <form key={params.q} onSubmit={submit} className="flex gap-2 max-sm:w-full">
          <Input mono name="q" aria-label="Name contains" placeholder="Part of a name" defaultValue={params.q} />
          <Button type="submit" className="h-8! pointer-coarse:h-10!" pending={pending}>
            Search
          </Button>
        </form>
      )}
      {choices.map(({ name, label, options }) => {
        const value = params[name] ?? "";
        return (
          <Select
            key={name}
            aria-label={label}
            value={value}
            onChange={(event) => go(name, event.target.value)}
            className={`w-auto! max-w-56 ${value === "" ? "text-second" : "font-medium"}`}
          >
            <option value="">{label}</option>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </Select>
        );
      })}
    </search>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { hrefWith } from "@/components/layout/href-with";
import { type FilterChoice, FilterSelects } from "@/components/table/filter-selects";
import { UrlInput } from "@/components/table/url-input";
import { Button } from "@/components/ui/button";

/** The filters of a list, held in the URL; with `search` also a text in the name. */
export function ListFilters({
  path,
  params,
  choices,
  search = false,
}: {
  path: string;
  params: Record<string, string>;
  choices: readonly FilterChoice[];
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
        <form onSubmit={submit} className="flex gap-2 max-sm:w-full">
          <UrlInput mono name="q" aria-label="Name contains" placeholder="Part of a name" value={params.q} />
          <Button type="submit" className="h-8! pointer-coarse:h-10!" pending={pending}>
            Search
          </Button>
        </form>
      )}
      <FilterSelects choices={choices} params={params} onChoose={go} />
    </search>
  );
}

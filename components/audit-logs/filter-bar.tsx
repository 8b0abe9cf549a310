"use client";

import { Search, X } from "lucide-react";
import Link from "next/link";
import { usePathname, useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useTransition } from "react";
import { filtersIn, hrefWith, parseSearch } from "@/components/audit-logs/view";
import { Select } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";

type Params = Record<string, string>;

const methods = ["GET", "POST", "PUT", "DELETE", "!GET", "PATCH", "HEAD", "OPTIONS"];
const statuses = ["2xx", "4xx", "5xx", "401", "403", "404", "429"];

/** The filters in force, and ways to set more: text or `name:value` in the box, the usual ones to choose from. */
export function FilterBar({
  params,
  names,
  keys,
  securityOnly,
}: {
  params: Params;
  /** Of all filters that the API knows. */
  names: readonly string[];
  keys: { id: string; name: string }[];
  securityOnly: boolean;
}) {
  const path = usePathname();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const go = (changes: Record<string, string | null>) =>
    startTransition(() => router.push(hrefWith(path, params, changes)));
  const keyName = (id: string) => keys.find((key) => key.id === id)?.name ?? id;
  const choices: { name: string; label: string; options: { value: string; label: string }[] }[] = [
    { name: "method", label: "Method", options: methods.map((value) => ({ value, label: negated(value) })) },
    { name: "status", label: "Status", options: statuses.map((value) => ({ value, label: value })) },
    { name: "api_key_id", label: "Key", options: keys.map(({ id, name }) => ({ value: id, label: name })) },
    ...(securityOnly
      ? []
      : [
          {
            name: "security_event",
            label: "Security events",
            options: [
              { value: "true", label: "Only security events" },
              { value: "false", label: "No security events" },
            ],
          },
        ]),
    { name: "order", label: "Newest first", options: [{ value: "asc", label: "Oldest first" }] },
  ];
  return (
    <search className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      <div className="flex flex-wrap gap-2 max-sm:gap-y-0">
        <SearchBox
          key={params.q ?? ""}
          text={params.q ?? ""}
          onSearch={(text) => go({ q: null, ...parseSearch(text, names) })}
        />
        {/* On phones they stand in one line that scrolls. */}
        <div className="contents max-sm:-mx-4 max-sm:flex max-sm:w-[calc(100%+2rem)] max-sm:gap-2 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-2">
          {choices.map(({ name, label, options }) => {
            const value = params[name] ?? "";
            const isListed = value === "" || options.some((option) => option.value === value);
            return (
              <Select
                key={name}
                aria-label={label}
                value={isListed ? value : ""}
                onChange={(event) => go({ [name]: event.target.value || null })}
                className={`w-auto! max-w-44 shrink-0 ${value === "" ? "text-second" : "font-medium"}`}
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
        </div>
      </div>
      <Chips params={params} keyName={keyName} path={path} />
    </search>
  );
}

function negated(value: string): string {
  return value.startsWith("!") ? `not ${value.slice(1)}` : value;
}

function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input, textarea, select, dialog, [role=menu]") !== null;
      if (event.key !== "/" || isTyping || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <form
      className="relative min-w-56 flex-1 max-sm:basis-full"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSearch(box.current?.value ?? "");
      }}
    >
      <Search size={14} aria-hidden="true" className="absolute top-1/2 left-2.5 -translate-y-1/2 text-third" />
      <input
        ref={box}
        type="search"
        aria-label="Search text, or filter by name:value"
        placeholder="Text in path, query, agent, error; or ip:192.0.2.0/24, path:/api/v1/certificates*…"
        defaultValue={text}
        spellCheck={false}
        autoComplete="off"
        className="h-8 w-full rounded-sm border border-strong bg-panel pr-8 pl-8 hover:border-third/60 pointer-coarse:h-10 pointer-coarse:text-lg"
      />
      <span className="absolute top-1/2 right-2 -translate-y-1/2 leading-none pointer-coarse:hidden" aria-hidden="true">
        <Kbd>/</Kbd>
      </span>
    </form>
  );
}

/** What narrows the list, each with a way to take it off. */
function Chips({ params, keyName, path }: { params: Params; keyName: (id: string) => string; path: string }) {
  const filters = filtersIn(params);
  if (filters.length === 0) return null;
  const none = Object.fromEntries(filters.map(([name]) => [name, null]));
  return (
    <ul aria-label="Filters in force" className="flex flex-wrap items-center gap-1.5">
      {filters.map(([name, value]) => (
        <li key={name} className="flex h-6 max-w-full items-center rounded-sm border border-strong bg-panel pl-2">
          <span className="mr-1.5 text-second">{name === "q" ? "text" : name}</span>
          <span className="truncate font-mono text-sm">
            {name === "api_key_id" ? value.split(",").map(keyName).join(", ") : value}
          </span>
          <Link
            prefetch={false}
            href={hrefWith(path, params, { [name]: null })}
            aria-label={`Take off the filter ${name}`}
            className="ml-1 grid size-6 place-items-center text-third hover:text-ink"
          >
            <X size={12} aria-hidden="true" />
          </Link>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <Link prefetch={false} href={hrefWith(path, params, none)} className="px-1 text-seal hover:underline">
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}

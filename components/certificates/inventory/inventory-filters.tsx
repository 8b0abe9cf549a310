"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useTransition } from "react";
import { filtersOf, INVENTORY, type InventoryFilter } from "@/components/certificates/inventory/inventory-view";
import { hrefWith } from "@/components/layout/href-with";
import { UrlInput } from "@/components/table/url-input";
import { Time } from "@/components/time/time";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { findingLabels } from "@/lib/certificates/finding-labels";
import { extendedKeyUsageLabels } from "@/lib/certificates/usage-labels";
import { DAY_MS } from "@/lib/time/units";

const words: Record<InventoryFilter, string> = {
  name: "name",
  issuer: "issuer",
  key_type: "key",
  usage: "usage",
  finding: "finding",
  expires_before: "expires before",
  expires_after: "expires from",
  sha256: "SHA-256",
  unused: "unused",
};

const keys = ["rsa-1024", "rsa-2048", "rsa-3072", "rsa-4096", "ec-256", "ec-384", "ed25519"];

/** The inventory's filters: a name, an issuer and the usual choices. `view` has those of the URL, and the order. */
export function InventoryFilters({ view }: { view: Record<string, string> }) {
  const params = filtersOf(view);
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const go = (changes: Partial<Record<InventoryFilter, string>>) =>
    startTransition(() => router.push(hrefWith(INVENTORY, view, changes)));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    go({ name: String(form.get("name")).trim(), issuer: String(form.get("issuer")).trim() });
  };
  const days = params.expires_before === undefined ? "" : "set";
  return (
    <search className="grid gap-2 px-4 pb-3 sm:px-5" aria-busy={pending}>
      <form onSubmit={submit} className="flex flex-wrap gap-2">
        <div className="w-48 max-sm:w-full">
          <UrlInput mono name="name" aria-label="Covers the name" placeholder="www.example.com" value={params.name} />
        </div>
        <div className="w-36 max-sm:w-full">
          <UrlInput name="issuer" aria-label="Issuer contains" placeholder="Issuer" value={params.issuer} />
        </div>
        <Button type="submit" className="h-8! pointer-coarse:h-10!" pending={pending}>
          Search
        </Button>
        <Choice
          label="Expiry"
          any="Any expiry"
          value={days}
          onChange={(value) =>
            go({
              expires_after: "",
              expires_before: value && new Date(Date.now() + Number(value) * DAY_MS).toISOString(),
            })
          }
          options={[
            ...(days === "set" ? [["set", "Custom"] as const] : []),
            ["0", "Expired"],
            ["7", "Within 7 days"],
            ["30", "Within 30 days"],
            ["90", "Within 90 days"],
          ]}
        />
        <Choice
          label="Key"
          any="Any key"
          value={params.key_type ?? ""}
          onChange={(key_type) => go({ key_type })}
          options={[...new Set([...keys, ...(params.key_type ? [params.key_type] : [])])].map((key) => [
            key,
            key.toUpperCase().replace("-", " "),
          ])}
        />
        <Choice
          label="Usage"
          any="Any usage"
          value={params.usage ?? ""}
          onChange={(usage) => go({ usage })}
          options={Object.entries({
            ...(params.usage && { [params.usage]: params.usage }),
            ...extendedKeyUsageLabels,
          })}
        />
        <Choice
          label="Finding"
          any="Any finding"
          value={params.finding ?? ""}
          onChange={(finding) => go({ finding })}
          options={Object.entries(findingLabels)}
        />
        <Choice
          label="Use"
          any="In use or unused"
          value={params.unused ?? ""}
          onChange={(unused) => go({ unused })}
          options={[
            ["false", "In use"],
            ["true", "Unused"],
          ]}
        />
      </form>
      <Chips view={view} />
    </search>
  );
}

function Choice({
  label,
  any,
  value,
  options,
  onChange,
}: {
  label: string;
  /** The words of the empty choice. */
  any: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`w-auto! max-w-44 max-sm:w-[calc(50%-0.25rem)]! ${value === "" ? "text-second" : "font-medium"}`}
    >
      <option value="">{any}</option>
      {options.map(([each, shown]) => (
        <option key={each} value={each}>
          {shown}
        </option>
      ))}
    </Select>
  );
}

function Chips({ view }: { view: Record<string, string> }) {
  const filters = Object.entries(filtersOf(view)) as [InventoryFilter, string][];
  const none = Object.fromEntries(filters.map(([name]) => [name, null]));
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
      {filters.map(([name, value]) => (
        <li key={name} className="flex h-6 max-w-full items-center rounded-sm border border-strong bg-panel pl-2">
          <span className="mr-1.5 text-second">{words[name]}</span>
          <span className="truncate font-mono text-sm">
            {name.startsWith("expires") && !Number.isNaN(Date.parse(value)) ? <Time value={value} /> : value}
          </span>
          <Link
            prefetch={false}
            href={hrefWith(INVENTORY, view, { [name]: null })}
            aria-label={`Remove the filter ${words[name]}`}
            className="ml-1 grid size-6 place-items-center text-third hover:text-ink"
          >
            <X size={12} aria-hidden="true" />
          </Link>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <Link prefetch={false} href={hrefWith(INVENTORY, view, none)} className="px-1 text-seal hover:underline">
            Clear all filters
          </Link>
        </li>
      )}
      {view.usage === undefined && (
        <li>
          <Link
            prefetch={false}
            href={hrefWith(INVENTORY, view, { usage: "client_auth" })}
            className="flex h-6 items-center rounded-sm border border-strong border-dashed px-2 text-second hover:text-ink"
          >
            Still for client authentication
          </Link>
        </li>
      )}
    </ul>
  );
}

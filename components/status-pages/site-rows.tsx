import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { newestListed } from "@/components/layout/newest-only";
import { type Choice, type ListedSiteChoices, moved, type SiteFields } from "@/components/status-pages/site-fields";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { MAX_SITES } from "@/lib/status-pages/limits";

/** The sites of a status page: label, and what each shows. */
export function SiteRows({
  sites,
  choices,
  error,
  onChange,
}: {
  sites: readonly SiteFields[];
  choices: ListedSiteChoices;
  error: string | undefined;
  onChange: (sites: SiteFields[]) => void;
}) {
  const change = (row: number, changes: Partial<SiteFields>) =>
    onChange(sites.map((site) => (site.row === row ? { ...site, ...changes } : site)));
  const add = () => {
    const row = Math.max(-1, ...sites.map((site) => site.row)) + 1;
    onChange([...sites, { row, slug: undefined, label: "", monitorId: "", endpointId: "" }]);
  };
  return (
    <section aria-labelledby="sites" className="grid gap-2">
      <h2 id="sites" className="font-medium text-lg">
        Sites
      </h2>
      <p className="max-w-prose text-second">
        Visitors see only the label, the state, 90 days of uptime and the days left of the certificate. Hosts, addresses
        and names of monitors stay private.{choices.isCut && ` ${newestListed("monitors and endpoints")}`}
      </p>
      {sites.length > 0 && (
        <ol className="border-t">
          {sites.map((site, at) => (
            <li key={site.row}>
              <fieldset className="grid grid-cols-1 items-end gap-3 border-b py-3 md:grid-cols-[1fr_1fr_1fr_auto]">
                <legend className="sr-only">Site {at + 1}</legend>
                <Field label="Label">
                  {(control) => (
                    <Input
                      {...control}
                      placeholder="Online shop"
                      value={site.label}
                      onChange={(event) => change(site.row, { label: event.target.value })}
                    />
                  )}
                </Field>
                <Target
                  label="Monitor"
                  none="No uptime"
                  choices={choices.monitors}
                  value={site.monitorId}
                  onChange={(monitorId) => change(site.row, { monitorId })}
                />
                <Target
                  label="Certificate"
                  none="No certificate"
                  choices={choices.endpoints}
                  value={site.endpointId}
                  onChange={(endpointId) => change(site.row, { endpointId })}
                />
                <div className="flex gap-1 pb-0.5">
                  <Button
                    kind="quiet"
                    icon
                    aria-label={`Move site ${at + 1} up`}
                    onClick={() => onChange(moved(sites, at, -1))}
                  >
                    <ArrowUp size={14} aria-hidden="true" />
                  </Button>
                  <Button
                    kind="quiet"
                    icon
                    aria-label={`Move site ${at + 1} down`}
                    onClick={() => onChange(moved(sites, at, 1))}
                  >
                    <ArrowDown size={14} aria-hidden="true" />
                  </Button>
                  <Button
                    kind="quiet"
                    icon
                    aria-label={`Remove site ${at + 1}`}
                    onClick={() => onChange(sites.filter(({ row }) => row !== site.row))}
                  >
                    <X size={14} aria-hidden="true" />
                  </Button>
                </div>
              </fieldset>
            </li>
          ))}
        </ol>
      )}
      {error !== undefined && (
        <p role="alert" className="whitespace-pre-line text-bad text-sm">
          {error}
        </p>
      )}
      {sites.length < MAX_SITES && (
        <div>
          <Button onClick={add}>
            <Plus size={14} aria-hidden="true" />
            Add site
          </Button>
        </div>
      )}
    </section>
  );
}

function Target({
  label,
  none,
  choices,
  value,
  onChange,
}: {
  label: string;
  none: string;
  choices: readonly Choice[];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{none}</option>
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

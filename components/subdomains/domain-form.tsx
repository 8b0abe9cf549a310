"use client";

import { type FormEvent, useId, useState } from "react";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { useCreateDomain, useUpdateDomain } from "@/components/subdomains/queries";
import { Check, Field, focusEmpty, Input, Select, Textarea } from "@/components/ui/field";
import type { Domain, SourceName } from "@/lib/subdomains/domain-contract";
import { sourceLabels } from "@/lib/subdomains/labels";
import { plural } from "@/lib/text/counts";

const FIELDS = ["interval_hours", "expected_issuers", "sources", "unauthorized_after_hours"];
const sources = Object.keys(sourceLabels) as SourceName[];

const graces = [
  [0, "At once"],
  [1, "After an hour"],
  [24, "After a day"],
  [72, "After 3 days"],
  [168, "After a week"],
] as const;

const intervals = [
  [1, "Every hour"],
  [6, "Every 6 hours"],
  [12, "Every 12 hours"],
  [24, "Every day"],
  [168, "Every week"],
] as const;

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The settings of a new domain, or of `domain` to change it. */
export function DomainForm({
  domain,
  onSaved,
  onCancel,
}: {
  domain?: Domain;
  onSaved: (saved: Domain) => void;
  onCancel: () => void;
}) {
  const create = useCreateDomain();
  const update = useUpdateDomain();
  const { error } = domain ? update : create;
  // Until the page of a new domain opens, this form must not add another.
  const isPending = update.isPending || create.isPending || create.isSuccess;
  const [name, setName] = useState("");
  const [interval, setInterval] = useState(domain?.interval_hours ?? 24);
  const [issuers, setIssuers] = useState((domain?.expected_issuers ?? []).join("\n"));
  const [grace, setGrace] = useState(domain ? domain.unauthorized_after_hours : 24);
  const [own, setOwn] = useState((domain?.authorized_issuers ?? []).join("\n"));
  const [selected, setSelected] = useState<readonly SourceName[]>(
    domain?.sources.map((source) => source.name) ?? sources,
  );
  const shown = [...FIELDS, ...(domain ? [] : ["name"]), ...(grace === null ? [] : ["authorized_issuers"])];
  const failure = failureOf(error, shown);
  const legend = useId();
  const isListed = intervals.some(([hours]) => hours === interval);
  const sent = {
    interval_hours: interval,
    expected_issuers: linesOf(issuers),
    unauthorized_after_hours: grace,
    authorized_issuers: linesOf(own),
    sources: [...selected],
  };
  const [loaded] = useState(sent);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (domain) update.mutate({ id: domain.id, ...changesOf(loaded, sent) }, { onSuccess: onSaved });
    else create.mutate({ name, ...sent }, { onSuccess: onSaved });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {!domain && (
        <Field label="Domain" hint="The registered domain, without www." error={failure.fields.name}>
          {(control) => (
            <Input
              {...control}
              mono
              required
              ref={focusEmpty}
              placeholder="example.com"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field
        label="Expected issuers"
        optional
        hint="One per line, such as Let's Encrypt. A certificate from any other issuer is a finding and opens an alert."
        error={failure.fields.expected_issuers}
      >
        {(control) => (
          <Textarea {...control} rows={3} value={issuers} onChange={(event) => setIssuers(event.target.value)} />
        )}
      </Field>
      <Field
        label="Report certificates that are not yours"
        hint="Certificates are yours if you added them or their keys, or if a client handed them in."
        error={failure.fields.unauthorized_after_hours}
      >
        {(control) => (
          <Select
            {...control}
            value={grace ?? ""}
            onChange={({ target }) => setGrace(target.value === "" ? null : Number(target.value))}
          >
            <option value="">Never</option>
            {grace !== null && !graces.some(([hours]) => hours === grace) && (
              <option value={grace}>After {plural(grace, "hour")}</option>
            )}
            {graces.map(([hours, words]) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {grace !== null && (
        <Field
          label="Issuers only for you"
          optional
          hint="One per line: issuers that issue certificates only to you, such as a managed account."
          error={failure.fields.authorized_issuers}
        >
          {(control) => <Textarea {...control} rows={2} value={own} onChange={(event) => setOwn(event.target.value)} />}
        </Field>
      )}
      <Field label="Discovery interval" error={failure.fields.interval_hours}>
        {(control) => (
          <Select {...control} value={interval} onChange={(event) => setInterval(Number(event.target.value))}>
            {!isListed && <option value={interval}>Every {plural(interval, "hour")}</option>}
            {intervals.map(([hours, words]) => (
              <option key={hours} value={hours}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <fieldset aria-describedby={failure.fields.sources ? legend : undefined}>
        <legend className="mb-1 font-medium">Sources</legend>
        {sources.map((source) => (
          <Check
            key={source}
            checked={selected.includes(source)}
            onChange={(on) => setSelected(sources.filter((each) => (each === source ? on : selected.includes(each))))}
            className="min-h-7 pointer-coarse:min-h-10"
          >
            {sourceLabels[source]}
          </Check>
        ))}
        {failure.fields.sources && (
          <p id={legend} role="alert" className="text-bad text-sm">
            {failure.fields.sources}
          </p>
        )}
      </fieldset>
      <FormEnd
        error={error}
        message={failure.message}
        action={domain ? "Save" : "Add domain"}
        pending={isPending}
        onCancel={onCancel}
      />
    </form>
  );
}

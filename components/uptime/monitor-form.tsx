"use client";

import { type FormEvent, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import { DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input, Select, Textarea } from "@/components/ui/field";
import { fieldsOf, type MonitorFields, sentOf } from "@/components/uptime/monitor-fields";
import { useCreateMonitor, useUpdateMonitor } from "@/components/uptime/queries";
import { TrustField } from "@/components/uptime/trust-field";
import type { Monitor } from "@/lib/uptime/contract";

const NAMES = [
  "name",
  "target",
  "headers",
  "expected_status",
  "expected_text",
  "trust_store_id",
  "interval_seconds",
  "timeout_seconds",
  "failure_threshold",
  "recovery_threshold",
  "tags",
];

/** The settings of a new monitor, or of `monitor` to change it. */
export function MonitorForm({
  monitor,
  onSaved,
  onCancel,
}: {
  monitor?: Monitor;
  onSaved: (monitor: Monitor) => void;
  onCancel: () => void;
}) {
  const create = useCreateMonitor();
  const update = useUpdateMonitor();
  const { isPending, error } = monitor ? update : create;
  const failure = failureOf(error, NAMES);
  const [fields, setFields] = useState(() => fieldsOf(monitor));
  const isHttp = fields.type === "http";
  const set = (change: Partial<MonitorFields>) => setFields((before) => ({ ...before, ...change }));
  const isMoreWrong = NAMES.slice(2).some((name) => name in failure.fields);

  function submit(event: FormEvent) {
    event.preventDefault();
    const sent = sentOf(fields);
    if (monitor) update.mutate({ id: monitor.id, ...sent }, { onSuccess: onSaved });
    else create.mutate({ type: fields.type, ...sent }, { onSuccess: onSaved });
  }

  /** A text control bound to a field. */
  const text = (
    name: keyof MonitorFields,
    field: string,
    label: string,
    more: { hint?: string; mono?: boolean; placeholder?: string; numeric?: boolean; optional?: boolean } = {},
  ) => (
    <Field label={label} hint={more.hint} error={failure.fields[field]} optional={more.optional ?? false}>
      {(control) => (
        <Input
          {...control}
          mono={more.mono ?? false}
          {...(more.numeric && { inputMode: "numeric" as const })}
          {...(more.placeholder !== undefined && { placeholder: more.placeholder })}
          {...(name === "name" && { ref: focusEmpty })}
          value={String(fields[name])}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      )}
    </Field>
  );

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      {text("name", "name", "Name", { placeholder: "Web shop" })}
      <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-3">
        <Field label="Type">
          {(control) => (
            <Select
              {...control}
              value={fields.type}
              disabled={monitor !== undefined}
              onChange={(event) => set({ type: event.target.value === "tcp" ? "tcp" : "http" })}
            >
              <option value="http">HTTP</option>
              <option value="tcp">TCP</option>
            </Select>
          )}
        </Field>
        {text("target", "target", isHttp ? "URL" : "Host and port", {
          mono: true,
          placeholder: isHttp ? "https://example.com/health" : "db.example.com:5432",
        })}
      </div>
      <div className="grid grid-cols-2 items-start gap-3">
        {text("interval", "interval_seconds", "Interval (seconds)", { numeric: true })}
        {text("timeout", "timeout_seconds", "Timeout (seconds)", { numeric: true })}
      </div>
      <details open={isMoreWrong || undefined}>
        <summary className="cursor-pointer text-second hover:text-ink">
          More settings: request, certificates, thresholds, tags
        </summary>
        <div className="mt-3 grid gap-4">
          {isHttp && (
            <>
              <div className="grid grid-cols-2 items-start gap-3">
                <Field label="Method">
                  {(control) => (
                    <Select
                      {...control}
                      value={fields.method}
                      onChange={(event) => set({ method: event.target.value as MonitorFields["method"] })}
                    >
                      <option>GET</option>
                      <option>HEAD</option>
                      <option>POST</option>
                    </Select>
                  )}
                </Field>
                {text("expectedStatus", "expected_status", "Expected status", { mono: true, placeholder: "2xx, 304" })}
              </div>
              {text("expectedText", "expected_text", "Expected text", {
                optional: true,
                hint: "Must appear in the first MiB of the response.",
              })}
              <Field
                label="Headers"
                optional
                error={failure.fields.headers}
                hint={
                  monitor && monitor.header_names.length > 0
                    ? `Currently set: ${monitor.header_names.join(", ")}. New headers replace all of them. The audit log stores values as sent.`
                    : "One per line, as Name: value. Values are never shown again, but the audit log stores them as sent."
                }
              >
                {(control) => (
                  <Textarea
                    {...control}
                    mono
                    rows={2}
                    value={fields.headers}
                    onChange={(event) => set({ headers: event.target.value })}
                  />
                )}
              </Field>
              <label className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-seal"
                  checked={fields.followRedirects}
                  onChange={(event) => set({ followRedirects: event.target.checked })}
                />
                Follow redirects
              </label>
              <TrustField
                value={fields.trust}
                error={failure.fields.trust_store_id}
                onChange={(trust) => set({ trust })}
              />
            </>
          )}
          <div className="grid grid-cols-2 items-start gap-3">
            {text("failures", "failure_threshold", "Down after (failures)", { numeric: true })}
            {text("recoveries", "recovery_threshold", "Up after (successes)", { numeric: true })}
          </div>
          {text("tags", "tags", "Tags", { optional: true, placeholder: "production, web" })}
        </div>
      </details>
      <FormFailure message={failure.message} />
      <DialogButtons>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary" pending={isPending}>
          {isPending ? "Checking…" : monitor ? "Save" : "Add monitor"}
        </Button>
      </DialogButtons>
    </form>
  );
}

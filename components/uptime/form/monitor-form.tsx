"use client";

import { type FormEvent, useState } from "react";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Field, Select } from "@/components/ui/field";
import { DnsFields } from "@/components/uptime/form/dns-fields";
import { RequestFields, ResponseFields } from "@/components/uptime/form/http-fields";
import { IpVersionField } from "@/components/uptime/form/ip-version-field";
import { MonitorControl } from "@/components/uptime/form/monitor-control";
import { fieldsOf, type MonitorFields, sentOf, typeChange } from "@/components/uptime/form/monitor-fields";
import { PingFields } from "@/components/uptime/form/ping-fields";
import { shownNames } from "@/components/uptime/form/shown-names";
import { TcpFields } from "@/components/uptime/form/tcp-fields";
import { useCreateMonitor, useUpdateMonitor } from "@/components/uptime/queries";
import type { Monitor, MonitorWithUrl } from "@/lib/uptime/contract";
import { monitorTypes } from "@/lib/uptime/methods";

const types = { http: "HTTP", tcp: "TCP", dns: "DNS", ping: "Ping", heartbeat: "Heartbeat" } as const;
const targets = {
  http: { label: "URL", placeholder: "https://example.com/health" },
  tcp: { label: "Host and port", placeholder: "db.example.com:5432" },
  dns: { label: "Name to look up", placeholder: "example.com" },
  ping: { label: "Host", placeholder: "router.example.com" },
} as const;
/** Fields of one control, or that depend on each other. */
const TOGETHER = [
  ["trust_store_id", "verify_tls"],
  ["method", "request_body"],
] as const;

/** The settings of a new monitor, or of `monitor` to change it. */
export function MonitorForm({
  monitor,
  onSaved,
  onCancel,
}: {
  monitor?: Monitor;
  onSaved: (monitor: MonitorWithUrl) => void;
  onCancel: () => void;
}) {
  const create = useCreateMonitor();
  const update = useUpdateMonitor();
  const { isPending, error } = monitor ? update : create;
  const [loaded] = useState(monitor);
  const [fields, setFields] = useState(() => fieldsOf(loaded));
  const shown = shownNames(fields);
  const failure = failureOf(error, Object.values(shown).flat());
  const isHttp = fields.type === "http";
  const isDns = fields.type === "dns";
  const isHeartbeat = fields.type === "heartbeat";
  const set = (change: Partial<MonitorFields>) => setFields((before) => ({ ...before, ...change }));
  const part = { fields, errors: failure.fields, set };
  const isWrong = (names: readonly string[]) => names.some((name) => name in failure.fields) || undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    const sent = sentOf(fields, loaded);
    if (loaded) {
      const changes = changesOf(sentOf(fieldsOf(loaded), loaded), sent, TOGETHER);
      update.mutate({ id: loaded.id, ...changes }, { onSuccess: onSaved });
    } else create.mutate({ type: fields.type, ...sent }, { onSuccess: onSaved });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <MonitorControl part={part} name="name" field="name" label="Name" placeholder="Web shop" />
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3">
        <Field label="Type" error={failure.fields.type}>
          {(control) => (
            <Select
              {...control}
              value={fields.type}
              disabled={monitor !== undefined}
              onChange={(event) => {
                const type = monitorTypes.find((each) => each === event.target.value);
                if (type) set(typeChange(fields.type, type));
              }}
            >
              {monitorTypes.map((type) => (
                <option key={type} value={type}>
                  {types[type]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {fields.type === "heartbeat" ? (
          <p className="self-end pb-1.5 text-pretty text-second text-sm">
            A job calls a URL whenever it has run. Without a call in time, the monitor is down.
          </p>
        ) : (
          <MonitorControl part={part} name="target" field="target" mono {...targets[fields.type]} />
        )}
      </div>
      {fields.type === "tcp" && (
        <details open={isWrong(shown.tcp) || (monitor?.tcp ?? null) !== null || undefined}>
          <summary className="cursor-pointer text-second hover:text-ink">Send and expect, TLS</summary>
          <div className="mt-3 grid gap-4">
            <TcpFields part={part} monitor={monitor} />
          </div>
        </details>
      )}
      {isDns && <DnsFields part={part} />}
      {fields.type === "ping" && <PingFields part={part} />}
      {isHeartbeat ? (
        <div className="grid grid-cols-2 items-start gap-3">
          <MonitorControl part={part} name="interval" field="interval_seconds" label="Called every (seconds)" numeric />
          <MonitorControl part={part} name="grace" field="grace_seconds" label="Grace period (seconds)" numeric />
        </div>
      ) : (
        <div className="grid grid-cols-2 items-start gap-3">
          <MonitorControl part={part} name="interval" field="interval_seconds" label="Interval (seconds)" numeric />
          <MonitorControl part={part} name="timeout" field="timeout_seconds" label="Timeout (seconds)" numeric />
        </div>
      )}
      {isHttp && (
        <details open={isWrong(shown.response)}>
          <summary className="cursor-pointer text-second hover:text-ink">
            Expected response: text, JSON, headers, time
          </summary>
          <div className="mt-3 grid gap-4">
            <ResponseFields part={part} />
          </div>
        </details>
      )}
      <details open={isWrong(shown.more)}>
        <summary className="cursor-pointer text-second hover:text-ink">
          More settings: {isHttp && "request, certificates, "}
          {!isHeartbeat && "thresholds, "}tags
        </summary>
        <div className="mt-3 grid gap-4">
          {isHttp && <RequestFields part={part} monitor={monitor} />}
          {!isHeartbeat && !isDns && <IpVersionField part={part} />}
          {!isHeartbeat && (
            <div className="grid grid-cols-2 items-start gap-3">
              <MonitorControl
                part={part}
                name="failures"
                field="failure_threshold"
                label="Down after (failures)"
                numeric
              />
              <MonitorControl
                part={part}
                name="recoveries"
                field="recovery_threshold"
                label="Up after (successes)"
                numeric
              />
            </div>
          )}
          <MonitorControl part={part} name="tags" field="tags" label="Tags" optional placeholder="production, web" />
        </div>
      </details>
      <FormEnd
        error={error}
        message={failure.message}
        action={isPending ? (isHeartbeat ? "Saving…" : "Checking…") : monitor ? "Save" : "Add monitor"}
        pending={isPending}
        onCancel={onCancel}
      />
    </form>
  );
}

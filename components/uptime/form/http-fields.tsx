"use client";

import { Check, Field, Select } from "@/components/ui/field";
import { AuthenticationFields } from "@/components/uptime/form/authentication-fields";
import { type FormPart, MonitorControl } from "@/components/uptime/form/monitor-control";
import { sendsBody } from "@/components/uptime/form/monitor-fields";
import { TrustField } from "@/components/uptime/form/trust-field";
import type { Monitor } from "@/lib/uptime/contract";
import { methods } from "@/lib/uptime/methods";

/** What an http monitor sends, and which certificates it accepts. */
export function RequestFields({ part, monitor }: { part: FormPart; monitor: Monitor | undefined }) {
  const { fields, errors, set } = part;
  const headerNames = monitor?.header_names ?? [];
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <Field label="Method">
          {(control) => (
            <Select
              {...control}
              value={fields.method}
              onChange={(event) => {
                const method = methods.find((each) => each === event.target.value);
                if (method) set({ method });
              }}
            >
              {methods.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        <MonitorControl
          part={part}
          name="expectedStatus"
          field="expected_status"
          label="Expected status"
          mono
          placeholder="2xx, 304"
        />
      </div>
      {sendsBody(fields.method) && (
        <MonitorControl
          part={part}
          name="requestBody"
          field="request_body"
          label="Body"
          optional
          mono
          lines={3}
          hint="Sent as it is. Everybody in the organization can read it."
        />
      )}
      <MonitorControl
        part={part}
        name="headers"
        field="headers"
        label="Headers"
        optional
        mono
        lines={2}
        hint={
          headerNames.length > 0
            ? `Currently set: ${headerNames.join(", ")}. New headers replace all of them. The audit log stores values as sent.`
            : "One per line, as Name: value. Values are never shown again, but the audit log stores them as sent."
        }
      />
      <AuthenticationFields part={part} current={monitor?.authentication} />
      <Check checked={fields.followRedirects} onChange={(on) => set({ followRedirects: on })}>
        Follow redirects
      </Check>
      <TrustField value={fields.trust} error={errors.trust_store_id} onChange={(trust) => set({ trust })} />
    </>
  );
}

/** What an http monitor expects of the response besides its status. */
export function ResponseFields({ part }: { part: FormPart }) {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-3">
        <MonitorControl
          part={part}
          name="expectedText"
          field="expected_text"
          label="Expected text"
          optional
          hint="Must appear in the first MiB of the response."
        />
        <MonitorControl
          part={part}
          name="forbiddenText"
          field="forbidden_text"
          label="Forbidden text"
          optional
          hint="Must not appear in it."
        />
      </div>
      <MonitorControl
        part={part}
        name="expectedPattern"
        field="expected_pattern"
        label="Expected pattern"
        optional
        mono
        placeholder="version: [0-9.]+"
        hint="A regular expression (RE2) that matches in the first 16 KiB."
      />
      <MonitorControl
        part={part}
        name="expectedJson"
        field="expected_json"
        label="Expected JSON"
        optional
        mono
        lines={2}
        placeholder={'$.status = "ok"'}
        hint="One path per line, alone or with =, !=, >= or <= and a value."
      />
      <MonitorControl
        part={part}
        name="expectedHeaders"
        field="expected_headers"
        label="Expected headers"
        optional
        mono
        lines={2}
        placeholder="Content-Type: application/json"
        hint="One per line, as Name: text that it contains."
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <MonitorControl
          part={part}
          name="maxResponseTime"
          field="max_response_time_ms"
          label="Slowest response (ms)"
          optional
          numeric
        />
        <MonitorControl
          part={part}
          name="minCertificateDays"
          field="min_certificate_days"
          label="Certificate days left"
          optional
          numeric
        />
      </div>
    </>
  );
}

"use client";

import { Check } from "@/components/ui/field";
import { AuthenticationFields } from "@/components/uptime/form/authentication-fields";
import { type FormPart, MonitorControl } from "@/components/uptime/form/monitor-control";
import { TrustField } from "@/components/uptime/form/trust-field";
import type { Monitor } from "@/lib/uptime/contract";

/** What a tcp monitor does besides connecting. */
export function TcpFields({ part, monitor }: { part: FormPart; monitor: Monitor | undefined }) {
  const { fields, errors, set } = part;
  return (
    <>
      <MonitorControl
        part={part}
        name="send"
        field="tcp.send"
        label="Send"
        optional
        mono
        placeholder="PING\r\n"
        hint="Escapes: \r \n \t \0 \x1f. Everybody in the organization can read it."
      />
      <div className="grid grid-cols-2 items-start gap-3">
        <MonitorControl
          part={part}
          name="receivedText"
          field="tcp.expected_text"
          label="Expected text"
          optional
          hint="In the first 4 KiB that the server sends."
        />
        <MonitorControl
          part={part}
          name="receivedPattern"
          field="tcp.expected_pattern"
          label="Expected pattern"
          optional
          mono
          hint="A regular expression (RE2)."
        />
      </div>
      <Check checked={fields.tls} onChange={(on) => set({ tls: on })}>
        TLS
      </Check>
      {fields.tls && (
        <>
          <div className="grid grid-cols-2 items-start gap-3">
            <MonitorControl
              part={part}
              name="serverName"
              field="tcp.server_name"
              label="Server name"
              optional
              mono
              hint="By default that of the host."
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
          <TrustField value={fields.trust} error={errors.trust_store_id} onChange={(trust) => set({ trust })} />
          <AuthenticationFields part={part} current={monitor?.authentication} types={["none", "client_certificate"]} />
        </>
      )}
    </>
  );
}

"use client";

import { Check, Field, Select } from "@/components/ui/field";
import { type FormPart, MonitorControl } from "@/components/uptime/form/monitor-control";
import { answerMatchWords } from "@/components/uptime/words";
import { answerMatches, recordTypes } from "@/lib/uptime/record-types";

/** What a dns monitor asks and expects. */
export function DnsFields({ part }: { part: FormPart }) {
  const { fields, errors, set } = part;
  return (
    <>
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3">
        <Field label="Record type">
          {(control) => (
            <Select
              {...control}
              value={fields.recordType}
              onChange={(event) => {
                const recordType = recordTypes.find((each) => each === event.target.value);
                if (recordType) set({ recordType });
              }}
            >
              {recordTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </Select>
          )}
        </Field>
        <MonitorControl
          part={part}
          name="resolver"
          field="dns.resolver"
          label="Name server"
          optional
          mono
          placeholder="192.0.2.53"
          hint="An address. By default those of this installation."
        />
      </div>
      {!fields.expectNxdomain && (
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-[minmax(0,1fr)_12rem] sm:items-start">
          <MonitorControl
            part={part}
            name="answers"
            field="dns.expected"
            label="Expected answers"
            optional
            mono
            lines={3}
            placeholder={placeholders[fields.recordType] ?? "mail.example.com"}
            hint="One per line. Without any, every answer passes."
          />
          <Field label="The answer must have" error={errors["dns.match"]}>
            {(control) => (
              <Select
                {...control}
                value={fields.answerMatch}
                onChange={(event) => {
                  const answerMatch = answerMatches.find((each) => each === event.target.value);
                  if (answerMatch) set({ answerMatch });
                }}
              >
                {answerMatches.map((match) => (
                  <option key={match} value={match}>
                    {answerMatchWords[match]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      )}
      <Check checked={fields.expectNxdomain} onChange={(on) => set({ expectNxdomain: on })}>
        The name must not exist (NXDOMAIN)
      </Check>
    </>
  );
}

const placeholders: Partial<Record<string, string>> = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CAA: "0 issue letsencrypt.org",
  MX: "10 mail.example.com",
  SRV: "10 5 443 server.example.com",
  TXT: "v=spf1 -all",
};

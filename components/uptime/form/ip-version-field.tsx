"use client";

import { Field, Select } from "@/components/ui/field";
import type { FormPart } from "@/components/uptime/form/monitor-control";
import { ipVersionWords } from "@/components/uptime/words";
import { ipVersions } from "@/lib/uptime/methods";

/** Which addresses of the target a monitor connects to. */
export function IpVersionField({ part: { fields, errors, set } }: { part: FormPart }) {
  return (
    <Field label="IP version" error={errors.ip_version}>
      {(control) => (
        <Select
          {...control}
          value={fields.ipVersion}
          onChange={(event) => {
            const ipVersion = ipVersions.find((each) => each === event.target.value);
            if (ipVersion) set({ ipVersion });
          }}
        >
          {ipVersions.map((version) => (
            <option key={version} value={version}>
              {ipVersionWords[version]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

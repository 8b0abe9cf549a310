"use client";

import { Field, Select } from "@/components/ui/field";
import { type FormPart, MonitorControl } from "@/components/uptime/form/monitor-control";
import { authenticationWords } from "@/components/uptime/words";
import type { AuthenticationType, ShownAuthentication } from "@/lib/uptime/authentication";

const all: readonly AuthenticationType[] = ["none", "basic", "bearer", "client_certificate"];

/** A monitor's credentials, of one of the `types`. Secrets are empty unless they are to be replaced. */
export function AuthenticationFields({
  part,
  current,
  types = all,
}: {
  part: FormPart;
  current: ShownAuthentication | undefined;
  types?: readonly AuthenticationType[];
}) {
  const { fields, errors, set } = part;
  const isSet = current?.type === fields.authentication;
  const hint = isSet ? "Currently set. Leave it empty to keep it." : undefined;
  return (
    <>
      <Field label="Authentication" error={errors.authentication} hint={hintOf(fields.authentication)}>
        {(control) => (
          <Select
            {...control}
            value={fields.authentication}
            onChange={(event) => {
              const authentication = types.find((each) => each === event.target.value);
              if (authentication) set({ authentication });
            }}
          >
            {types.map((type) => (
              <option key={type} value={type}>
                {authenticationWords[type]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {fields.authentication === "basic" && (
        <div className="grid grid-cols-2 items-start gap-3">
          <MonitorControl part={part} name="username" field="authentication.username" label="Username" />
          <MonitorControl
            part={part}
            name="secret"
            field="authentication.password"
            label="Password"
            hint={hint}
            secret
          />
        </div>
      )}
      {fields.authentication === "bearer" && (
        <MonitorControl part={part} name="secret" field="authentication.token" label="Token" hint={hint} secret />
      )}
      {fields.authentication === "client_certificate" && (
        <>
          <MonitorControl
            part={part}
            name="certificate"
            field="authentication.certificate"
            label="Client certificate (PEM)"
            mono
            lines={3}
            placeholder="-----BEGIN CERTIFICATE-----"
            hint={isSet ? `Currently ${current?.certificate?.subject}. A new one replaces it and its key.` : undefined}
          />
          <MonitorControl
            part={part}
            name="privateKey"
            field="authentication.private_key"
            label="Private key (PEM, not encrypted)"
            mono
            lines={3}
            placeholder="-----BEGIN PRIVATE KEY-----"
          />
        </>
      )}
    </>
  );
}

function hintOf(type: AuthenticationType): string | undefined {
  if (type === "none") return undefined;
  const what = type === "client_certificate" ? "Shown to" : "Sent to";
  return `${what} the target only, not to where it redirects. Never shown here again, but the audit log stores it as sent.`;
}

"use client";

import { useState } from "react";
import { DEFAULT_TRUST, type EndpointFields, withProtocol } from "@/components/certificates/endpoints/endpoint-fields";
import { listAgents, listTrustStores } from "@/components/certificates/queries";
import { useQuery } from "@/components/requests/use-query";
import { Field, Input, Select } from "@/components/ui/field";
import { protocols } from "@/lib/certificates/targets";
import type { TrustStore } from "@/lib/certificates/trust-stores/trust-store-contract";

/** The API's names of these fields. */
export const MORE = [
  "protocol",
  "connect_to",
  "address_mode",
  "interval_seconds",
  "tags",
  "trust_store_id",
  "agent_id",
];

/** The settings that most endpoints leave at their defaults; collapsed until opened or until one has an error. */
export function EndpointMore({
  fields,
  isNew,
  errors,
  onChange,
}: {
  fields: EndpointFields;
  isNew: boolean;
  errors: Record<string, string>;
  onChange: (fields: EndpointFields) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const isWrong = MORE.some((name) => name in errors);
  const stores = useQuery({ queryKey: ["trust-stores"], queryFn: listTrustStores, enabled: isOpen || isWrong });
  const agents = useQuery({ queryKey: ["agents"], queryFn: listAgents, enabled: isOpen || isWrong });
  const set = (change: Partial<EndpointFields>) => onChange({ ...fields, ...change });
  return (
    <details open={isWrong || undefined} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-max cursor-pointer rounded-xs text-second hover:text-ink">
        More settings: protocol, addresses, tags, trust store, agent
      </summary>
      <div className="mt-3 grid gap-4">
        <div className="grid grid-cols-2 items-start gap-3">
          <Field label="Protocol" error={errors.protocol}>
            {(control) => (
              <Select
                {...control}
                value={fields.protocol}
                onChange={(event) => {
                  const protocol = protocols.find((each) => each === event.target.value);
                  if (protocol) onChange(withProtocol(fields, protocol));
                }}
              >
                {protocols.map((each) => (
                  <option key={each} value={each}>
                    {each === "tls" ? "TLS from the start" : each}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Interval (seconds)" error={errors.interval_seconds}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={fields.interval}
                onChange={(event) => set({ interval: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label="Addresses" error={errors.address_mode}>
          {(control) => (
            <Select
              {...control}
              value={fields.addressMode}
              onChange={(event) => set({ addressMode: event.target.value === "all" ? "all" : "one" })}
            >
              <option value="one">The first that responds</option>
              <option value="all">All, and report differences</option>
            </Select>
          )}
        </Field>
        <Field
          label="Connect to"
          optional
          hint="An IP address to connect to instead of the addresses that the host resolves to. Agents also read file:/path or kubernetes:namespace/secret."
          error={errors.connect_to}
        >
          {(control) => (
            <Input
              {...control}
              mono
              placeholder="192.0.2.7"
              value={fields.connectTo}
              onChange={(event) => set({ connectTo: event.target.value })}
            />
          )}
        </Field>
        <Field label="Tags" optional hint="Separated by commas or spaces." error={errors.tags}>
          {(control) => (
            <Input
              {...control}
              placeholder="production, web"
              value={fields.tags}
              onChange={(event) => set({ tags: event.target.value })}
            />
          )}
        </Field>
        <Field label="Trust store" error={errors.trust_store_id}>
          {(control) => (
            <Select
              {...control}
              value={fields.trustStoreId}
              onChange={(event) => set({ trustStoreId: event.target.value })}
            >
              <TrustChoices stores={stores.data} chosen={fields.trustStoreId} isNew={isNew} />
            </Select>
          )}
        </Field>
        <Field label="Checked by" error={errors.agent_id}>
          {(control) => (
            <Select {...control} value={fields.agentId} onChange={(event) => set({ agentId: event.target.value })}>
              <option value="">Sealwatch</option>
              {fields.agentId !== "" && !agents.data?.some(({ id }) => id === fields.agentId) && (
                <option value={fields.agentId}>Current agent</option>
              )}
              {agents.data?.map(({ id, name }) => (
                <option key={id} value={id}>
                  Agent {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </details>
  );
}

const PUBLIC_ONLY = "Public roots only";

/** The trust stores to choose from; while they load, only the present choice. */
function TrustChoices({ stores, chosen, isNew }: { stores: TrustStore[] | undefined; chosen: string; isNew: boolean }) {
  const byDefault = stores?.find(({ is_default }) => is_default);
  const isListed = chosen === "" || chosen === DEFAULT_TRUST || stores?.some(({ id }) => id === chosen);
  return (
    <>
      {isNew && <option value={DEFAULT_TRUST}>{byDefault ? `Default: ${byDefault.name}` : PUBLIC_ONLY}</option>}
      {(!isNew || byDefault) && <option value="">{PUBLIC_ONLY}</option>}
      {!isListed && <option value={chosen}>Current trust store</option>}
      {stores?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  );
}

"use client";

import { type FormEvent, useState } from "react";
import {
  type EditedEndpoint,
  type EndpointFields,
  fieldsOf,
  sentOf,
  takeApart,
} from "@/components/certificates/endpoints/endpoint-fields";
import { EndpointMore, MORE } from "@/components/certificates/endpoints/endpoint-more";
import { TARGET } from "@/components/certificates/endpoints/saved-words";
import { parseTarget } from "@/components/certificates/inventory/names";
import { useCreateEndpoint, useUpdateEndpoint } from "@/components/certificates/queries";
import { RENEWAL } from "@/components/certificates/renewals/renewal-form-fields";
import { RenewalPart } from "@/components/certificates/renewals/renewal-part";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { CertificateEndpointDetail } from "@/lib/certificates/contract";

const FIELDS = ["host", "port", "sni", ...MORE, ...RENEWAL];

/** The settings of a new endpoint, or of `endpoint` to change it. */
export function EndpointForm({
  endpoint,
  onSaved,
  onCancel,
}: {
  endpoint?: EditedEndpoint;
  onSaved: (endpoint: CertificateEndpointDetail) => void;
  onCancel: () => void;
}) {
  const create = useCreateEndpoint();
  const update = useUpdateEndpoint();
  const { isPending, error } = endpoint ? update : create;
  const failure = failureOf(error, FIELDS);
  const [loaded] = useState(endpoint);
  const [fields, setFields] = useState(() => fieldsOf(loaded));
  const set = (change: Partial<EndpointFields>) => setFields((before) => ({ ...before, ...change }));

  function submit(event: FormEvent) {
    event.preventDefault();
    setFields(takeApart);
    const sent = sentOf(fields);
    if (loaded) {
      const changes = changesOf(sentOf(fieldsOf(loaded)), sent, [TARGET]);
      update.mutate({ id: loaded.id, ...changes }, { onSuccess: onSaved });
    } else create.mutate(sent, { onSuccess: onSaved });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-3">
        <Field label="Host" error={failure.fields.host}>
          {(control) => (
            <Input
              {...control}
              mono
              required
              ref={focusEmpty}
              inputMode="url"
              autoCapitalize="none"
              placeholder="example.com"
              value={fields.host}
              onChange={(event) => set({ host: event.target.value })}
              onBlur={() => setFields(takeApart)}
            />
          )}
        </Field>
        <Field label="Port" error={failure.fields.port}>
          {(control) => (
            <Input
              {...control}
              mono
              inputMode="numeric"
              value={fields.port}
              onChange={(event) => set({ port: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field
        label="SNI"
        optional
        hint="The server name to send if it differs from the host, for example behind a load balancer or when the host is an IP address."
        error={failure.fields.sni}
      >
        {(control) => (
          <Input
            {...control}
            mono
            autoCapitalize="none"
            placeholder={parseTarget(fields.host).host || "example.com"}
            value={fields.sni}
            onChange={(event) => set({ sni: event.target.value })}
          />
        )}
      </Field>
      <EndpointMore fields={fields} isNew={endpoint === undefined} errors={failure.fields} onChange={setFields} />
      <RenewalPart fields={fields.renewal} errors={failure.fields} onChange={(renewal) => set({ renewal })} />
      {endpoint && (
        <Note tone="plain">Changing the target deletes the open findings, and the endpoint is checked again.</Note>
      )}
      <FormEnd
        error={error}
        message={failure.message}
        action={endpoint ? "Save" : isPending ? "Checking…" : "Add endpoint"}
        pending={isPending}
        onCancel={onCancel}
      />
    </form>
  );
}

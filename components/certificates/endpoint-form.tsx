"use client";

import { type FormEvent, useState } from "react";
import { parseTarget } from "@/components/certificates/names";
import { useCreateEndpoint, useUpdateEndpoint } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import { DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { CertificateEndpoint, CertificateEndpointDetail } from "@/lib/certificates/contract";

const FIELDS = ["host", "port", "sni"];

/** Host, port and SNI of a new endpoint, or of `endpoint` to change it. */
export function EndpointForm({
  endpoint,
  onSaved,
  onCancel,
}: {
  endpoint?: Pick<CertificateEndpoint, "id" | "host" | "port" | "sni">;
  onSaved: (endpoint: CertificateEndpointDetail) => void;
  onCancel: () => void;
}) {
  const create = useCreateEndpoint();
  const update = useUpdateEndpoint();
  const { isPending, error } = endpoint ? update : create;
  const failure = failureOf(error, FIELDS);

  const [host, setHost] = useState(endpoint?.host ?? "");
  const [port, setPort] = useState(String(endpoint?.port ?? 443));
  const [sni, setSni] = useState(endpoint?.sni ?? "");

  /** A pasted address fills both fields. */
  function takeApart() {
    const target = parseTarget(host);
    setHost(target.host);
    if (target.port !== null) setPort(String(target.port));
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const target = parseTarget(host);
    takeApart();
    const fields = {
      host: target.host,
      port: target.port ?? Number(port || Number.NaN),
      sni: sni.trim() === "" ? null : sni,
    };
    if (endpoint) update.mutate({ id: endpoint.id, ...fields }, { onSuccess: onSaved });
    else create.mutate(fields, { onSuccess: onSaved });
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
              value={host}
              onChange={(event) => setHost(event.target.value)}
              onBlur={takeApart}
            />
          )}
        </Field>
        <Field label="Port" error={failure.fields.port}>
          {(control) => (
            <Input
              {...control}
              mono
              inputMode="numeric"
              value={port}
              onChange={(event) => setPort(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Field
        label="SNI"
        optional
        hint="The name to ask for, where it is another than the host: behind a load balancer, or when the host is an address."
        error={failure.fields.sni}
      >
        {(control) => (
          <Input
            {...control}
            mono
            autoCapitalize="none"
            placeholder={parseTarget(host).host || "example.com"}
            value={sni}
            onChange={(event) => setSni(event.target.value)}
          />
        )}
      </Field>
      {endpoint && (
        <Note tone="plain">
          Another target starts afresh: its open findings are forgotten, and it is checked at once.
        </Note>
      )}
      <FormFailure message={failure.message} />
      <DialogButtons>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" kind="primary" pending={isPending}>
          {isPending ? "Looking at it…" : endpoint ? "Save and check" : "Watch it"}
        </Button>
      </DialogButtons>
    </form>
  );
}

"use client";

import { type ChangeEvent, type FormEvent, useRef, useState } from "react";
import { useCreateTrustStore, useUpdateTrustStore } from "@/components/certificates/queries";
import { changesOf } from "@/components/requests/changes-of";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Button } from "@/components/ui/button";
import { Check, Field, focusEmpty, Input, Textarea } from "@/components/ui/field";
import { showToast } from "@/components/ui/toast";
import type { TrustStoreDetail } from "@/lib/certificates/trust-stores/trust-store-contract";

const FIELDS = ["name", "pem"];

/** Name and certificates of a new trust store, or of `store` to change it. */
export function TrustStoreForm({ store, onClose }: { store?: TrustStoreDetail; onClose: () => void }) {
  const create = useCreateTrustStore();
  const update = useUpdateTrustStore();
  const { isPending, error } = store ? update : create;
  const failure = failureOf(error, FIELDS);
  const file = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(store?.name ?? "");
  const [pem, setPem] = useState(store?.pem ?? "");
  const [isDefault, setDefault] = useState(store?.is_default ?? false);
  const sent = { name, pem, is_default: isDefault };
  const [loaded] = useState(sent);

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const [chosen] = event.target.files ?? [];
    if (chosen) setPem(await chosen.text());
    event.target.value = "";
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = (saved: TrustStoreDetail) => {
      showToast(`${saved.name} was saved.`);
      onClose();
    };
    if (store) update.mutate({ id: store.id, ...changesOf(loaded, sent) }, { onSuccess });
    else create.mutate(sent, { onSuccess });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Name" error={failure.fields.name}>
        {(control) => (
          <Input
            {...control}
            required
            ref={focusEmpty}
            placeholder="Our internal authority"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Certificates"
        hint="Up to 100 root certificates of your own authorities, in PEM. Text around them is ignored."
        error={failure.fields.pem}
      >
        {(control) => (
          <Textarea
            {...control}
            mono
            required
            rows={9}
            placeholder="-----BEGIN CERTIFICATE-----"
            value={pem}
            onChange={(event) => setPem(event.target.value)}
          />
        )}
      </Field>
      <div>
        <input
          ref={file}
          type="file"
          accept=".pem,.crt,.cer,.txt"
          aria-label="Certificate file"
          className="sr-only"
          tabIndex={-1}
          onChange={choose}
        />
        <Button onClick={() => file.current?.click()}>Choose file…</Button>
      </div>
      <Check checked={isDefault} onChange={setDefault}>
        Default for new endpoints
      </Check>
      <FormEnd
        error={error}
        message={failure.message}
        action={store ? "Save" : "Add trust store"}
        pending={isPending}
        onCancel={onClose}
      />
    </form>
  );
}

"use client";

import { type FormEvent, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, focusEmpty, Input } from "@/components/ui/field";

/** A dialog for an organization's name. */
export function NameDialog({
  title,
  action,
  initial,
  pending,
  error,
  onSubmit,
  onClose,
}: {
  title: string;
  /** The button's label. */
  action: string;
  initial: string;
  pending: boolean;
  error: unknown;
  onSubmit: (name: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState(initial);
  const failure = failureOf(error, ["name"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(name);
  };
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <Field label="Name" error={failure.fields.name}>
          {(control) => (
            <Input
              {...control}
              ref={focusEmpty}
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <FormEnd error={error} message={failure.message} action={action} pending={pending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

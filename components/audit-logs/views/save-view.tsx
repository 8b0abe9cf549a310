"use client";

import type { FormEvent } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { useSaveView } from "@/components/audit-logs/views/queries";
import { queryOf } from "@/components/audit-logs/views/saved-views";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, focusEmpty, Input, Select } from "@/components/ui/field";
import { showToast } from "@/components/ui/toast";
import type { AuditView } from "@/lib/audit-views/contract";

/** Saves the current view under a name. */
export function SaveView({ onSaved, onClose }: { onSaved: (view: AuditView) => void; onClose: () => void }) {
  const { params } = useExplorerView();
  const save = useSaveView();
  const { message, fields } = failureOf(save.error, ["name", "scope"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const scope = data.get("scope") === "organization" ? ("organization" as const) : ("personal" as const);
    save.mutate(
      { name: String(data.get("name")), scope, query: queryOf(params) },
      {
        onSuccess: (view) => {
          onSaved(view);
          onClose();
          showToast(`View “${view.name}” was saved.`);
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save this view"
      description="Saves the filters, range, order and columns. A range such as the last 24 hours stays relative to the current time."
    >
      <form className="grid gap-4" onSubmit={submit}>
        <Field label="Name" error={fields.name}>
          {(control) => <Input {...control} ref={focusEmpty} name="name" required maxLength={100} />}
        </Field>
        <Field label="Visible to" error={fields.scope}>
          {(control) => (
            <Select {...control} name="scope" defaultValue="personal">
              <option value="personal">Only you</option>
              <option value="organization">Everyone in the organization</option>
            </Select>
          )}
        </Field>
        <FormEnd error={save.error} message={message} action="Save view" pending={save.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

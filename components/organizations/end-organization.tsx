"use client";

import { useState } from "react";
import {
  useDeleteOrganization,
  useRestoreOrganization,
  useSelfServiceAction,
} from "@/components/organizations/queries";
import { failureOf } from "@/components/states/failure";
import { Button } from "@/components/ui/button";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { showToast } from "@/components/ui/toast";

interface Props {
  id: string;
  name: string;
  /** Why the button is disabled; null if it is enabled. */
  reason: string | null;
}

/** Requests the organization's deletion, confirmed by typing its name. */
export function DeleteOrganization({ id, name, reason }: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useDeleteOrganization();
  const error = failureOf(remove.error).message;
  const close = () => {
    setOpen(false);
    setTyped("");
    remove.reset();
  };
  const isSure = typed.trim() === name.trim();
  return (
    <>
      <GuardedButton kind="danger" reason={reason} onClick={() => setOpen(true)}>
        Delete organization…
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={close}
        title={`Delete ${name}?`}
        description="All its data, including the audit log, is permanently deleted in 14 days. Until then everything keeps working, and any admin can restore the organization."
      >
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (isSure)
              remove.mutate(
                { id },
                { onSuccess: () => [close(), showToast("The organization will be deleted in 14 days.")] },
              );
          }}
        >
          <Field label="Type the organization’s name" hint={name}>
            {(control) => (
              <Input {...control} ref={focusEmpty} value={typed} onChange={(event) => setTyped(event.target.value)} />
            )}
          </Field>
          {error && (
            <Note tone="bad" alert>
              {error}
            </Note>
          )}
          <DialogButtons>
            <CancelButton onClick={close} />
            <Button type="submit" kind="danger" pending={remove.isPending} aria-disabled={!isSure}>
              Delete in 14 days
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}

/** Cancels the deletion. */
export function RestoreOrganization({ id, reason }: Omit<Props, "name">) {
  const restore = useRestoreOrganization();
  const error = failureOf(restore.error).message;
  return (
    <>
      <GuardedButton
        reason={reason}
        pending={restore.isPending}
        onClick={() => restore.mutate({ id }, { onSuccess: () => showToast("The organization was restored.") })}
      >
        Restore organization
      </GuardedButton>
      {error && (
        <Note tone="bad" alert>
          {error}
        </Note>
      )}
    </>
  );
}

/** Ends the person's own membership. */
export function LeaveOrganization({ id, name, reason }: Props) {
  return (
    <ConfirmedButton
      label="Leave…"
      reason={reason}
      title={`Leave ${name}?`}
      action="Leave organization"
      mutation={useSelfServiceAction<{ organization_id: string }>("leave-organization")}
      variables={{ organization_id: id }}
      onDone={() => window.location.assign("/")}
    >
      <p>
        You lose access immediately, and only an invitation from an admin brings you back. API keys that you created
        keep working.
      </p>
    </ConfirmedButton>
  );
}

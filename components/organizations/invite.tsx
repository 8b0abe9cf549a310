"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useCreateInvitation } from "@/components/organizations/queries";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input, Select } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { showToast } from "@/components/ui/toast";
import type { InvitationSent } from "@/lib/invitations/contract";

/** The button that invites a member: first the form, then the link if it was not sent by e-mail. */
export function Invite({ organizationId, reason }: { organizationId: string; reason: string | null }) {
  const [open, setOpen] = useState(false);
  const [created, setCreated] = useState<InvitationSent | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    setCreated(null);
    router.refresh();
  };
  const onCreated = (invitation: InvitationSent) => {
    if (invitation.url !== null) return setCreated(invitation);
    showToast(`The invitation was sent to ${invitation.email}.`);
    close();
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Invite member
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={close}
        title={created ? "Invitation link" : "Invite a member"}
        sticky={created !== null}
        wide={created !== null}
      >
        {created ? (
          <LinkShown invitation={created} onDone={close} />
        ) : (
          <InviteForm id={organizationId} onCreated={onCreated} onClose={close} />
        )}
      </Dialog>
    </>
  );
}

function InviteForm({
  id,
  onCreated,
  onClose,
}: {
  id: string;
  onCreated: (invitation: InvitationSent) => void;
  onClose: () => void;
}) {
  const create = useCreateInvitation();
  const failure = failureOf(create.error, ["email", "permission"]);
  const [email, setEmail] = useState("");
  const [permission, setPermission] = useState<"admin" | "read">("read");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ id, email, permission }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field
        label="E-mail address"
        hint="The invitation is valid for 7 days and only for the person who signs in with this address."
        error={failure.fields.email}
      >
        {(control) => (
          <Input
            {...control}
            // Of the type email, browsers change the domain to punycode, and the invitation would be for another address.
            type="text"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            ref={focusEmpty}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field label="Permission" error={failure.fields.permission}>
        {(control) => (
          <Select
            {...control}
            value={permission}
            onChange={(event) => setPermission(event.target.value === "admin" ? "admin" : "read")}
          >
            <option value="read">Read: view everything, change nothing</option>
            <option value="admin">Admin: view and change everything</option>
          </Select>
        )}
      </Field>
      <FormEnd
        error={create.error}
        message={failure.message}
        action="Invite member"
        pending={create.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

function LinkShown({ invitation, onDone }: { invitation: InvitationSent; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        The link was not sent by e-mail. Send it to {invitation.email} yourself: it is shown only once. If it is lost,
        invite them again.
      </Note>
      <CodeBlock text={invitation.url ?? ""} what="the link" wrap />
      <DialogButtons>
        <Button kind="primary" onClick={onDone}>
          I have sent the link
        </Button>
      </DialogButtons>
    </div>
  );
}

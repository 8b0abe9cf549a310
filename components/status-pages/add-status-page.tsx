"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useFreshRouter } from "@/components/requests/use-fresh-router";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { useCreateStatusPage } from "@/components/status-pages/queries";
import { Dialog } from "@/components/ui/dialog";
import { Field, focusEmpty, Input } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";

interface Of {
  organizationId: string;
  /** The site that the page begins with, under the page's title; none by default. */
  site?: { monitor_id: string | null; endpoint_id: string | null };
}

/** The button that creates a status page, and then opens it to choose its sites. */
export function AddStatusPage({ reason, ...of }: Of & { reason: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <GuardedButton kind={of.site ? "plain" : "primary"} reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Create status page
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Create a status page"
        description="Nobody can open it until you publish it."
      >
        {open && <TitleForm {...of} onCancel={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function TitleForm({ organizationId, site, onCancel }: Of & { onCancel: () => void }) {
  const router = useFreshRouter();
  const create = useCreateStatusPage();
  const failure = failureOf(create.error, ["title"]);
  const [title, setTitle] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    const onSuccess = ({ id }: { id: string }) => router.push(`/status-pages/${id}`);
    // The label is public, so it is what was typed and not the host.
    const sites = site && [{ label: title, ...site }];
    create.mutate({ id: organizationId, title, sites }, { onSuccess });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Title" hint="The heading of the page, visible to everybody." error={failure.fields.title}>
        {(control) => (
          <Input
            {...control}
            ref={focusEmpty}
            placeholder="Acme status"
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
      </Field>
      <FormEnd
        error={create.error}
        message={failure.message}
        action="Create status page"
        pending={create.isPending || create.isSuccess}
        onCancel={onCancel}
      />
    </form>
  );
}

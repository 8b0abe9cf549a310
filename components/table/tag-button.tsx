"use client";

import { type FormEvent, useState } from "react";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { useBulk } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import type { BulkOutcome } from "@/lib/http/schemas/bulk";

const MAX_LENGTH = 50;

/** Adds a tag to the selected rows, or removes it from them. */
export function TagButton({
  noun,
  title,
  send,
}: {
  noun: string;
  /** Of the dialog: "Tag 3 endpoints". */
  title: string;
  send: (ids: string[], change: { add_tags: string[] } | { remove_tags: string[] }) => Promise<BulkOutcome[]>;
}) {
  const change = useBulk(noun);
  const [isOpen, setIsOpen] = useState(false);
  const [tag, setTag] = useState("");
  const [error, setError] = useState<string | undefined>();
  const act = (isAdded: boolean) => {
    const chosen = tag.trim();
    if (chosen === "") return setError("Enter a tag.");
    const add = { send: (ids: string[]) => send(ids, { add_tags: [chosen] }), done: `tagged ${chosen}` };
    const remove = {
      send: (ids: string[]) => send(ids, { remove_tags: [chosen] }),
      done: `no longer tagged ${chosen}`,
    };
    setError(undefined);
    change.mutate(isAdded ? { ...add, undo: remove } : { ...remove, undo: add }, { onSuccess: () => setIsOpen(false) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act(true);
  };
  const open = () => {
    change.reset();
    setTag("");
    setError(undefined);
    setIsOpen(true);
  };
  const failure = failureOf(change.error, ["add_tags", "remove_tags"]);
  return (
    <>
      <Button onClick={open}>Tag…</Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={title}>
        <form onSubmit={submit} className="grid gap-4" noValidate>
          <Field
            label="Tag"
            error={error ?? failure.fields.add_tags ?? failure.fields.remove_tags}
            hint="Letters, digits and . _ : / -"
          >
            {(control) => (
              <Input {...control} maxLength={MAX_LENGTH} value={tag} onChange={(event) => setTag(event.target.value)} />
            )}
          </Field>
          <FormFailure error={change.error} message={failure.message} />
          <DialogButtons>
            <Button aria-disabled={change.isPending} onClick={() => act(false)}>
              Remove tag
            </Button>
            <Button type="submit" kind="primary" pending={change.isPending}>
              Add tag
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}

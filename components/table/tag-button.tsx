"use client";

import { type FormEvent, useState } from "react";
import type { BulkAct } from "@/components/table/use-bulk";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import type { BulkOutcome } from "@/lib/http/endpoint";

const MAX_LENGTH = 50;

/** Adds a tag to the selected rows, or removes it from them. */
export function TagButton({
  title,
  pending,
  send,
  onAct,
}: {
  /** Of the dialog: "Tag 3 endpoints". */
  title: string;
  pending: boolean;
  send: (ids: string[], change: { add_tags: string[] } | { remove_tags: string[] }) => Promise<BulkOutcome[]>;
  onAct: (act: BulkAct) => void;
}) {
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
    setIsOpen(false);
    onAct(isAdded ? { ...add, undo: remove } : { ...remove, undo: add });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act(true);
  };
  const open = () => {
    setTag("");
    setError(undefined);
    setIsOpen(true);
  };
  return (
    <>
      <Button pending={pending} onClick={open}>
        Tag…
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={title}>
        <form onSubmit={submit} noValidate>
          <Field label="Tag" error={error} hint="Letters, digits and . _ : / -">
            {(control) => (
              <Input {...control} maxLength={MAX_LENGTH} value={tag} onChange={(event) => setTag(event.target.value)} />
            )}
          </Field>
          <DialogButtons>
            <Button onClick={() => act(false)}>Remove tag</Button>
            <Button type="submit" kind="primary">
              Add tag
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}

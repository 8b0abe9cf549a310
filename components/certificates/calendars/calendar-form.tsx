"use client";

import { type FormEvent, useState } from "react";
import { useCreateCalendar } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogButtons } from "@/components/ui/dialog";
import { Field, focusEmpty, Input, Select } from "@/components/ui/field";
import { Note } from "@/components/ui/note";

/** What a new calendar address shows. */
export function CalendarForm({
  tags,
  owners,
  onCreated,
  onCancel,
}: {
  tags: readonly string[];
  owners: readonly string[];
  onCreated: (url: string) => void;
  onCancel: () => void;
}) {
  const create = useCreateCalendar();
  const failure = failureOf(create.error, ["name", "shows", "tag", "owner"]);
  const [name, setName] = useState("");
  const [shows, setShows] = useState<"expirations" | "renewals">("expirations");
  const [tag, setTag] = useState("");
  const [owner, setOwner] = useState("");

  function submit(event: FormEvent) {
    event.preventDefault();
    const orNull = (text: string) => (text === "" ? null : text);
    create.mutate({ name, shows, tag: orNull(tag), owner: orNull(owner) }, { onSuccess: ({ url }) => onCreated(url) });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Name" hint="The team or calendar that subscribes to it." error={failure.fields.name}>
        {(control) => (
          <Input
            {...control}
            required
            ref={focusEmpty}
            placeholder="Team calendar"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Shows" error={failure.fields.shows}>
        {(control) => (
          <Select
            {...control}
            value={shows}
            onChange={(event) => setShows(event.target.value === "renewals" ? "renewals" : "expirations")}
          >
            <option value="expirations">When certificates expire</option>
            <option value="renewals">When certificates should be renewed</option>
          </Select>
        )}
      </Field>
      <Field label="Certificates" error={failure.fields.tag}>
        {(control) => (
          <Select {...control} value={tag} onChange={(event) => setTag(event.target.value)}>
            <option value="">All in use</option>
            {tags.map((each) => (
              <option key={each} value={each}>
                Endpoints with the tag {each}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {owners.length > 0 && (
        <Field label="Owner" error={failure.fields.owner}>
          {(control) => (
            <Select {...control} value={owner} onChange={(event) => setOwner(event.target.value)}>
              <option value="">Any</option>
              {owners.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <FormEnd
        error={create.error}
        message={failure.message}
        action="Create calendar"
        pending={create.isPending}
        onCancel={onCancel}
      />
    </form>
  );
}

/** The new address, shown once. */
export function CalendarAddress({ url, onDone }: { url: string; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        This is the only time the address is shown. Anyone who has it can see when your certificates expire and who
        renews them, until you revoke it.
      </Note>
      <CodeBlock text={url} what="the address" wrap />
      <p className="text-pretty text-second">
        In your calendar app, subscribe to a calendar “from URL”. Most calendars refresh a few times a day.
      </p>
      <DialogButtons>
        <Button kind="primary" onClick={onDone}>
          I have stored the address
        </Button>
      </DialogButtons>
    </div>
  );
}

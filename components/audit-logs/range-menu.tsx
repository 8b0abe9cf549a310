"use client";

import { ChevronDown } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { hrefWith } from "@/components/audit-logs/view";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { ranges } from "@/lib/audit-views/ranges";

const CUSTOM = "custom";

/** The stretch of time that the list covers. */
export function RangeMenu({ params, range }: { params: Record<string, string>; range: string | null }) {
  const path = usePathname();
  const router = useRouter();
  const [choosing, setChoosing] = useState(false);
  const go = (changes: Record<string, string | null>) =>
    router.push(hrefWith(path, params, { range: null, since: null, until: null, live: null, ...changes }));
  const label = ranges.find(({ value }) => value === range)?.label ?? "Chosen times";
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={`Range: ${label}`}>
            {label}
            <ChevronDown size={13} className="text-third" aria-hidden="true" />
          </Button>
        }
      >
        <MenuChoice
          label="Range"
          value={range ?? CUSTOM}
          choices={[
            ...ranges.map(({ value, label }) => ({ value: value as string, label })),
            { value: CUSTOM, label: "From … until …" },
          ]}
          onChange={(value) => (value === CUSTOM ? setChoosing(true) : go({ range: value }))}
        />
      </Menu>
      <Dialog
        open={choosing}
        onOpenChange={setChoosing}
        title="From … until …"
        description="Times of your zone. Either may be left empty."
      >
        <form
          className="grid gap-4"
          onSubmit={(event: FormEvent<HTMLFormElement>) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            setChoosing(false);
            go({ since: toIso(data.get("since")), until: toIso(data.get("until")) });
          }}
        >
          <Field label="From">
            {(control) => (
              <Input {...control} name="since" type="datetime-local" step="1" defaultValue={toLocal(params.since)} />
            )}
          </Field>
          <Field label="Until">
            {(control) => (
              <Input {...control} name="until" type="datetime-local" step="1" defaultValue={toLocal(params.until)} />
            )}
          </Field>
          <DialogButtons>
            <Button onClick={() => setChoosing(false)}>Cancel</Button>
            <Button type="submit" kind="primary">
              Show
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}

function toIso(local: FormDataEntryValue | null): string | null {
  const time = new Date(typeof local === "string" ? local : "");
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** What a `datetime-local` control takes: the local time without a zone. */
function toLocal(iso: string | undefined): string {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

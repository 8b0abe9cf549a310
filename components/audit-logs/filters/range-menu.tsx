"use client";

import { ChevronDown } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { readView } from "@/components/audit-logs/views/view";
import { formatTime, formatUtc, zoneName } from "@/components/time/time-format";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Menu, MenuChoice } from "@/components/ui/menu";
import { useNow, useTimeZone } from "@/components/ui/reader";
import { ranges } from "@/lib/audit-views/ranges";

const CUSTOM = "custom";

/** Selects the time range of the list. */
export function RangeMenu() {
  const { params, go: change } = useExplorerView();
  const { range } = readView(params, 0);
  const zone = useTimeZone();
  const now = useNow();
  const [choosing, setChoosing] = useState(false);
  const go = (changes: Record<string, string | null>) => change({ range: null, since: null, until: null, ...changes });
  const label = ranges.find(({ value }) => value === range)?.label ?? stretchWords(params, zone, now);
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={`Range: ${label}`}>
            <span suppressHydrationWarning>{label}</span>
            <ChevronDown size={13} className="text-third" aria-hidden="true" />
          </Button>
        }
      >
        <MenuChoice
          label="Range"
          value={range ?? CUSTOM}
          choices={[
            ...ranges.map(({ value, label }) => ({ value: value as string, label })),
            { value: CUSTOM, label: "Custom range…" },
          ]}
          onChange={(value) => (value === CUSTOM ? setChoosing(true) : go({ range: value }))}
        />
      </Menu>
      <Dialog
        open={choosing}
        onOpenChange={setChoosing}
        title="Custom range"
        description={`Times are in your time zone, ${zoneName(zone, now)}. You can leave either one empty.`}
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
          <TimeField name="since" label="From" iso={params.since} />
          <TimeField name="until" label="Until" iso={params.until} />
          <DialogButtons>
            <Button onClick={() => setChoosing(false)}>Cancel</Button>
            <Button type="submit" kind="primary">
              Apply range
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
  );
}

/** A time in the reader's zone; the hint shows it in UTC. */
function TimeField({ name, label, iso }: { name: string; label: string; iso: string | undefined }) {
  const [value, setValue] = useState(() => toLocal(iso));
  const utc = toIso(value);
  return (
    <Field label={label} hint={utc === null ? "No limit" : formatUtc(Date.parse(utc))}>
      {(control) => (
        <Input
          {...control}
          name={name}
          type="datetime-local"
          step="1"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      )}
    </Field>
  );
}

/** `21 Nov 2026, 13:00 – 14:00`, `since …`, `until …`. */
function stretchWords({ since, until }: Record<string, string>, zone: string, now: number): string {
  const [from, to] = [since, until].map((text) => Date.parse(text ?? ""));
  const words = (time: number | undefined) =>
    time === undefined || Number.isNaN(time) ? null : formatTime(time, "minute", zone, now);
  const [first, last] = [words(from), words(to)];
  if (first === null) return last === null ? "Custom range" : `Until ${last}`;
  if (last === null) return `Since ${first}`;
  const [day] = first.split(",");
  return `${first} – ${last.startsWith(`${day},`) ? last.slice((day ?? "").length + 2) : last}`;
}

function toIso(local: FormDataEntryValue | null): string | null {
  const time = new Date(typeof local === "string" ? local : "");
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The local time without a zone, as a `datetime-local` control takes it. */
function toLocal(iso: string | undefined): string {
  const time = Date.parse(iso ?? "");
  if (Number.isNaN(time)) return "";
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

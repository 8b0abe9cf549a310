"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { newestListed } from "@/components/layout/newest-only";
import { failureOf } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Check, Field, focusEmpty, Input, Select } from "@/components/ui/field";
import { GuardedButton } from "@/components/ui/guarded-button";
import { showToast } from "@/components/ui/toast";
import { useCreateMaintenanceWindow } from "@/components/uptime/queries";

interface Choice {
  id: string;
  name: string;
}

interface Offered {
  monitors: readonly Choice[];
  /** Whether there are more monitors than these. */
  isCut: boolean;
}

/** The button that schedules a maintenance window. */
export function AddMaintenance({ reason, ...offered }: Offered & { reason: string | null }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Schedule maintenance
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Schedule maintenance"
        description="Times are in your browser’s time zone."
      >
        {open && <MaintenanceForm {...offered} onClose={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

/** A time as the value of a `datetime-local` control. */
function local(time: number): string {
  const shifted = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** The instant of such a value; an invalid one unchanged, for the API to reject. */
function instant(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function MaintenanceForm({ monitors, isCut, onClose }: Offered & { onClose: () => void }) {
  const create = useCreateMaintenanceWindow();
  const wrongMonitors = useId();
  const failure = failureOf(create.error, ["name", "starts_at", "ends_at", "repeat", "monitor_ids"]);
  const [name, setName] = useState("");
  const [from, setFrom] = useState(() => local(Date.now()));
  const [to, setTo] = useState(() => local(Date.now() + 3_600_000));
  const [repeat, setRepeat] = useState<"none" | "daily" | "weekly">("none");
  const [chosen, setChosen] = useState<readonly string[]>([]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const sent = { name, starts_at: instant(from), ends_at: instant(to), repeat, monitor_ids: [...chosen] };
    create.mutate(sent, {
      onSuccess: (created) => {
        showToast(`${created.name} was scheduled.`);
        onClose();
      },
    });
  }

  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field label="Name" error={failure.fields.name}>
        {(control) => (
          <Input
            {...control}
            ref={focusEmpty}
            placeholder="Database upgrade"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field label="From" error={failure.fields.starts_at}>
          {(control) => (
            <Input {...control} type="datetime-local" value={from} onChange={(event) => setFrom(event.target.value)} />
          )}
        </Field>
        <Field label="To" error={failure.fields.ends_at}>
          {(control) => (
            <Input {...control} type="datetime-local" value={to} onChange={(event) => setTo(event.target.value)} />
          )}
        </Field>
      </div>
      <Field
        label="Repeats"
        hint={
          repeat !== "none" &&
          "Repeats at the same time in UTC: with daylight saving time, the local time moves by an hour."
        }
        error={failure.fields.repeat}
      >
        {(control) => (
          <Select {...control} value={repeat} onChange={(event) => setRepeat(event.target.value as typeof repeat)}>
            <option value="none">Once</option>
            <option value="daily">Every day</option>
            <option value="weekly">Every week</option>
          </Select>
        )}
      </Field>
      <fieldset aria-describedby={failure.fields.monitor_ids && wrongMonitors} className="grid gap-1">
        <legend className="mb-1 font-medium">Monitors</legend>
        <div className="grid max-h-40 gap-1 overflow-y-auto rounded-sm border p-2">
          {monitors.map(({ id, name: monitor }) => (
            <Check
              key={id}
              checked={chosen.includes(id)}
              onChange={(on) => setChosen(on ? [...chosen, id] : chosen.filter((each) => each !== id))}
            >
              <span className="truncate">{monitor}</span>
            </Check>
          ))}
        </div>
        <p className="text-second text-sm">
          Select none to include all monitors, now and in the future.
          {isCut && ` ${newestListed("monitors")}`}
        </p>
        {failure.fields.monitor_ids && (
          <p id={wrongMonitors} role="alert" className="whitespace-pre-line text-bad text-sm">
            {failure.fields.monitor_ids}
          </p>
        )}
      </fieldset>
      <FormEnd
        error={create.error}
        message={failure.message}
        action="Schedule maintenance"
        pending={create.isPending}
        onCancel={onClose}
      />
    </form>
  );
}

"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { wrongOf } from "@/components/alert-rules/issues";
import { TimeField, toIso } from "@/components/audit-logs/filters/time-field";
import type { KeptLog } from "@/components/destinations/detail/destination-actions";
import { useReplayDestination } from "@/components/destinations/queries";
import { failureOf, isRequestFailed } from "@/components/states/failure";
import { FormEnd } from "@/components/states/form-end";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useNow } from "@/components/ui/reader";
import { showToast } from "@/components/ui/toast";
import { formatCount, plural } from "@/lib/text/counts";
import { DAY_MS } from "@/lib/time/units";

type From = "index" | "time";

/** Sends the log again from an index or a time up to its end. */
export function Replay({
  id,
  name,
  log,
  isPaused,
  onClose,
}: {
  id: string;
  name: string;
  log: KeptLog;
  isPaused: boolean;
  onClose: () => void;
}) {
  const replay = useReplayDestination();
  const now = useNow();
  const [from, setFrom] = useState<From>("index");
  const [index, setIndex] = useState(String(log.oldest ?? 0));
  const [isTypo, setIsTypo] = useState(false);
  const wrong = wrongOf(replay.error);
  const isPlaced = isRequestFailed(replay.error) && (wrong("index") ?? wrong("since")) !== undefined;
  const number = /^\d{1,15}$/.test(index.trim()) ? Number(index) : null;
  const again = number === null ? null : Math.max(0, log.size - number);
  const last = log.size - 1;

  const change = (text: string) => {
    setIndex(text);
    setIsTypo(false);
    replay.reset();
  };
  const choose = (value: From) => {
    setFrom(value);
    replay.reset();
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (from === "index" && number === null) return setIsTypo(true);
    const data = new FormData(event.currentTarget);
    const sent =
      from === "index"
        ? { index: number ?? undefined }
        : { since: toIso(data.get("since")) ?? String(data.get("since")) };
    replay.mutate(
      { id, ...sent },
      {
        onSuccess: () => {
          showToast(
            isPaused ? `${name} starts from there when it is resumed.` : `These entries are sent to ${name} again.`,
          );
          onClose();
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Replay to ${name}`}
      description="Sends the log again from there up to its end. The receiver gets these entries twice."
    >
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <fieldset className="grid gap-3">
          <legend className="mb-2 font-medium">Begin</legend>
          <Choice value="index" chosen={from} onChoose={choose} label="At an entry">
            <Field
              label="Index"
              error={isTypo ? "Enter a whole number." : wrong("index")}
              hint={
                <span className="tabular-nums">
                  {log.oldest === null
                    ? "No entry is kept."
                    : `Kept: #${formatCount(log.oldest)} to #${formatCount(last)}.`}
                  {again !== null && again > 0 && ` Sends ${plural(again, "entry", "entries")} again.`}
                </span>
              }
            >
              {(control) => (
                <Input
                  {...control}
                  mono
                  inputMode="numeric"
                  value={index}
                  onChange={(event) => change(event.target.value)}
                />
              )}
            </Field>
            {log.oldest !== null && last > log.oldest && (
              <input
                type="range"
                aria-label="Index"
                min={log.oldest}
                max={last}
                value={Math.min(Math.max(number ?? log.oldest, log.oldest), last)}
                onChange={(event) => change(event.target.value)}
                className="w-full accent-seal"
              />
            )}
          </Choice>
          <Choice value="time" chosen={from} onChoose={choose} label="With entries sealed since a time">
            <TimeField name="since" label="Since" iso={new Date(now - DAY_MS).toISOString()} error={wrong("since")} />
          </Choice>
        </fieldset>
        <FormEnd
          error={replay.error}
          message={isPlaced ? null : failureOf(replay.error).message}
          action="Replay"
          pending={replay.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

/** A way to say where to begin, with its fields while it is chosen. */
function Choice({
  value,
  chosen,
  onChoose,
  label,
  children,
}: {
  value: From;
  chosen: From;
  onChoose: (value: From) => void;
  label: string;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-2">
      <label className="flex items-center gap-2">
        <input
          type="radio"
          name="from"
          className="size-4 accent-seal"
          checked={chosen === value}
          onChange={() => onChoose(value)}
        />
        {label}
      </label>
      {chosen === value && <div className="grid gap-2 pl-6">{children}</div>}
    </div>
  );
}

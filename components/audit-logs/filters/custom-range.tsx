"use client";

import type { FormEvent } from "react";
import { TimeField, toIso } from "@/components/audit-logs/filters/time-field";
import { zoneName } from "@/components/time/time-format";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** Asks for a range of time in the reader's zone; either end may be left open. */
export function CustomRange({
  since,
  until,
  onClose,
  onChoose,
}: {
  /** RFC 3339. */
  since: string | undefined;
  until: string | undefined;
  onClose: () => void;
  onChoose: (range: { since: string | null; until: string | null }) => void;
}) {
  const zone = useTimeZone();
  const now = useNow();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Custom range"
      description={`Times are in your time zone, ${zoneName(zone, now)}. You can leave either one empty.`}
    >
      <form
        className="grid gap-4"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          onClose();
          onChoose({ since: toIso(data.get("since")), until: toIso(data.get("until")) });
        }}
      >
        <TimeField name="since" label="From" iso={since} />
        <TimeField name="until" label="Until" iso={until} />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Apply range
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

"use client";

import { Download } from "lucide-react";
import { type FormEvent, useState } from "react";
import { TimeField, toIso } from "@/components/audit-logs/filters/time-field";
import { startDownload } from "@/components/requests/downloads";
import { zoneName } from "@/components/time/time-format";
import { Button } from "@/components/ui/button";
import { CancelButton, Dialog, DialogButtons } from "@/components/ui/dialog";
import { useNow, useTimeZone } from "@/components/ui/reader";

/** Downloads a bundle of the whole log or of a range. It goes directly to the browser's downloads, because it may be large. */
export function BundleButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Download size={13} aria-hidden="true" />
        Download bundle
      </Button>
      {isOpen && <BundleDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function BundleDialog({ onClose }: { onClose: () => void }) {
  const zone = useTimeZone();
  const now = useNow();
  const [isRange, setIsRange] = useState(false);
  const [error, setError] = useState<string>();
  const download = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const [since, until] = [toIso(data.get("since")), toIso(data.get("until"))];
    if (since !== null && until !== null && since >= until) return setError("Until must be later than From.");
    const range = { ...(since !== null && { since }), ...(until !== null && { until }) };
    startDownload(`/api/v1/audit-logs/export?${new URLSearchParams({ format: "ndjson", include: "seal", ...range })}`);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Download bundle"
      description="All events under the newest signed checkpoint, with their bodies and everything that proves them. The download itself is recorded in the audit log."
    >
      <form className="grid gap-4" onSubmit={download}>
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">Range</legend>
          {[
            { value: false, label: "The whole log" },
            { value: true, label: "Entries sealed within a time range" },
          ].map(({ value, label }) => (
            <label key={label} className="flex items-center gap-2">
              <input
                type="radio"
                name="range"
                className="accent-seal"
                checked={isRange === value}
                onChange={() => setIsRange(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        {isRange && (
          <>
            <TimeField name="since" label="From" iso={undefined} />
            <TimeField name="until" label="Until" iso={undefined} error={error} />
            <p className="text-second">Times are in your time zone, {zoneName(zone, now)}.</p>
          </>
        )}
        <DialogButtons>
          <CancelButton onClick={onClose} />
          <Button type="submit" kind="primary">
            Download
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

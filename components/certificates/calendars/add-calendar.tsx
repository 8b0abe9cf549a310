"use client";

import { Plus } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { CalendarAddress, CalendarForm } from "@/components/certificates/calendars/calendar-form";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";

/** The button that creates a calendar address: first the form, then the address, shown once. */
export function AddCalendar({
  tags,
  owners,
  reason,
}: {
  tags: readonly string[];
  owners: readonly string[];
  reason: string | null;
}) {
  const [open, setOpen] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const router = useRouter();
  const close = () => {
    setOpen(false);
    if (url !== null) router.refresh();
    setUrl(null);
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Create calendar
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={close}
        title={url === null ? "Create a calendar" : "Store the address now"}
        description={
          url === null
            ? "Subscribe a calendar to the address to see when certificates expire or must be renewed."
            : undefined
        }
        sticky={url !== null}
        wide={url !== null}
      >
        {url === null ? (
          <CalendarForm tags={tags} owners={owners} onCreated={setUrl} onCancel={close} />
        ) : (
          <CalendarAddress url={url} onDone={close} />
        )}
      </Dialog>
    </>
  );
}

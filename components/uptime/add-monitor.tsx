"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { tell } from "@/components/ui/toast";
import { reasonWords } from "@/components/uptime/words";
import { inSentence } from "@/lib/labels";
import type { Monitor } from "@/lib/uptime/contract";

const MonitorForm = lazy(async () => ({ default: (await import("@/components/uptime/monitor-form")).MonitorForm }));

/** The button that watches a target. What the first check found is told. */
export function AddMonitor({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const saved = ({ name, last_check }: Monitor) => {
    setOpen(false);
    const failure = last_check?.reason ? reasonWords({ reason: last_check.reason, detail: last_check.detail }) : null;
    tell(
      failure === null
        ? `${name} is watched, and answered.`
        : `${name} is watched, but failed: ${inSentence(failure)}.`,
    );
  };
  return (
    <>
      <GuardedButton kind="primary" reason={reason} onClick={() => setOpen(true)}>
        <Plus size={14} aria-hidden="true" />
        Add monitor
      </GuardedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Watch a target"
        description="It is checked at once, then again and again."
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          <MonitorForm onSaved={saved} onCancel={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

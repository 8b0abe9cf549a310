"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { reasonWords } from "@/components/uptime/words";
import { inSentence } from "@/lib/text/labels";
import type { Monitor } from "@/lib/uptime/contract";

const MonitorForm = lazy(async () => ({ default: (await import("@/components/uptime/monitor-form")).MonitorForm }));

/** The button that adds a monitor. A toast reports the result of the first check. */
export function AddMonitor({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const saved = ({ name, last_check }: Monitor) => {
    setOpen(false);
    const failure = last_check?.reason ? reasonWords({ reason: last_check.reason, detail: last_check.detail }) : null;
    showToast(
      failure === null
        ? `${name} was added, and its first check succeeded.`
        : `${name} was added, but its first check failed: ${inSentence(failure)}.`,
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
        title="Add a monitor"
        description="Sealwatch checks the target now and then at every interval."
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          <MonitorForm onSaved={saved} onCancel={() => setOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  );
}

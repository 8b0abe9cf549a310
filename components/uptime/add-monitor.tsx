"use client";

import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Skeleton } from "@/components/ui/skeleton";
import { showToast } from "@/components/ui/toast";
import { reasonWords } from "@/components/uptime/words";
import { inSentence } from "@/lib/text/labels";
import type { MonitorWithUrl } from "@/lib/uptime/contract";

const HeartbeatUrl = lazy(async () => ({ default: (await import("@/components/uptime/heartbeat-url")).HeartbeatUrl }));
const MonitorForm = lazy(async () => ({
  default: (await import("@/components/uptime/form/monitor-form")).MonitorForm,
}));

/** The button that adds a monitor. A toast reports the result of the first check. */
export function AddMonitor({ reason }: { reason: string | null }) {
  const [open, setOpen] = useState(false);
  const [url, setUrl] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    setUrl(null);
  };
  const saved = ({ name, last_check, heartbeat_url }: MonitorWithUrl) => {
    if (heartbeat_url !== undefined) {
      setUrl(heartbeat_url);
      showToast(`${name} was added.`);
      return;
    }
    close();
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
        onOpenChange={(isOpen) => (isOpen ? setOpen(true) : close())}
        title={url === null ? "Add a monitor" : "The heartbeat’s URL"}
        sticky={url !== null}
        {...(url === null && {
          description: "Sealwatch checks the target now and at every interval, or waits to be called.",
        })}
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          {url === null ? <MonitorForm onSaved={saved} onCancel={close} /> : <HeartbeatUrl url={url} onDone={close} />}
        </Suspense>
      </Dialog>
    </>
  );
}

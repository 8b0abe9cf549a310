"use client";

import { Download, Pause, Play, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState, useTransition } from "react";
import { useLiveState } from "@/components/audit-logs/events/live-state";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { readView } from "@/components/audit-logs/views/view";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";

const ExportDialog = lazy(async () => ({
  default: (await import("@/components/audit-logs/export-dialog")).ExportDialog,
}));

/** Buttons that follow the list live, refresh it or export it. */
export function ListActions() {
  const { params, change, isPaused, setIsPaused } = useExplorerView();
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const [isExporting, setIsExporting] = useState(false);
  const { live } = readView(params, 0);
  const { isOver } = useLiveState();
  const canBeLive = readView({ ...params, live: "1" }, 0).live;
  return (
    <>
      {canBeLive && (
        <>
          <Button
            aria-pressed={live}
            title={live ? "Stop showing new entries" : "Show new entries as they arrive"}
            onClick={() => {
              setIsPaused(false);
              change({ live: live ? null : "1" });
            }}
            className={live && !isOver ? "text-seal!" : "text-second!"}
          >
            <span
              className={cx("size-2 rounded-full bg-current", live && !isPaused && !isOver && "animate-pulse")}
              aria-hidden="true"
            />
            Live
          </Button>
          {live && (
            <Button
              icon
              aria-label={isPaused ? "Resume" : "Pause"}
              title={isPaused ? "Resume showing new entries" : "Hold new entries back"}
              onClick={() => setIsPaused(!isPaused)}
            >
              {isPaused ? <Play size={13} aria-hidden="true" /> : <Pause size={13} aria-hidden="true" />}
            </Button>
          )}
        </>
      )}
      <Button
        icon
        aria-label="Refresh"
        title="Refresh"
        pending={pending}
        onClick={() => startTransition(() => router.refresh())}
      >
        {!pending && <RotateCw size={13} aria-hidden="true" />}
      </Button>
      <Button icon aria-label="Export" title="Export" onClick={() => setIsExporting(true)}>
        <Download size={13} aria-hidden="true" />
      </Button>
      <Suspense>{isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}</Suspense>
    </>
  );
}

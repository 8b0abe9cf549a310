"use client";

import { lazy, Suspense, useState } from "react";
import { ConfirmedButton } from "@/components/ui/confirmed-button";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { useRotateHeartbeatUrl } from "@/components/uptime/queries";

const HeartbeatUrl = lazy(async () => ({ default: (await import("@/components/uptime/heartbeat-url")).HeartbeatUrl }));

/** The button that replaces a heartbeat's URL. */
export function RotateUrl({ id, name, reason }: { id: string; name: string; reason: string | null }) {
  const [url, setUrl] = useState<string | null>(null);
  return (
    <>
      <ConfirmedButton
        kind="quiet"
        label="Replace URL…"
        reason={reason}
        title={`Replace the URL of ${name}?`}
        action="Replace URL"
        mutation={useRotateHeartbeatUrl()}
        variables={{ id }}
        onDone={({ heartbeat_url }) => setUrl(heartbeat_url ?? null)}
      >
        <p>The current URL stops working immediately. Calls to it no longer count.</p>
      </ConfirmedButton>
      <Dialog open={url !== null} onOpenChange={() => setUrl(null)} title={`New URL of ${name}`} sticky>
        <Suspense fallback={<Skeleton className="h-64" />}>
          {url !== null && <HeartbeatUrl url={url} onDone={() => setUrl(null)} />}
        </Suspense>
      </Dialog>
    </>
  );
}

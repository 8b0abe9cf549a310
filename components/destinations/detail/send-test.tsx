"use client";

import { useEffect, useEffectEvent } from "react";
import { TestResult } from "@/components/destinations/form/exchange";
import { useTestDestination } from "@/components/destinations/queries";
import { failureOf } from "@/components/states/failure";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";

/** Sends a test at once, and shows the request and the response. */
export function SendTest({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const test = useTestDestination();
  const send = useEffectEvent(() => test.mutate({ id }));
  useEffect(() => send(), []);
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Test of ${name}`}
      description="The newest entry of the audit log is sent once. The position in the log does not change."
    >
      {test.data !== undefined ? (
        <TestResult test={test.data} />
      ) : test.error ? (
        <FormFailure error={test.error} message={failureOf(test.error).message} />
      ) : (
        <p role="status" className="grid gap-3 text-second">
          Waiting for the receiver’s response…
          <Skeleton className="h-24" />
        </p>
      )}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" pending={test.isPending} onClick={() => test.mutate({ id })}>
          Test again
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

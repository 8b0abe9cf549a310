"use client";

import { Check } from "lucide-react";
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import { CreateKey } from "@/components/api-keys/create-key";
import { firstCall } from "@/components/api-keys/first-call";
import { AddEndpoint } from "@/components/certificates/endpoints/add-endpoint";
import { CodeBlock } from "@/components/ui/code-block";
import type { ApiKeyWithSecret } from "@/lib/api-keys/contract";

const FirstRequest = lazy(async () => ({
  default: (await import("@/components/overview/first-request")).FirstRequest,
}));

/** The first steps of an organization, up to an audited request and a monitored certificate. */
export function FirstRun({
  baseUrl,
  unusedKey,
  hasRequest,
  hasEndpoint,
  reason,
}: {
  baseUrl: string;
  /** A key that was created but never used. */
  unusedKey: { id: string; name: string } | null;
  hasRequest: boolean;
  hasEndpoint: boolean;
  reason: string | null;
}) {
  const [created, setCreated] = useState<ApiKeyWithSecret | null>(null);
  const [isSeen, setIsSeen] = useState(false);
  const onSeen = useCallback(() => setIsSeen(true), []);
  const key = created ?? unusedKey;
  const secret = created?.secret ?? "$KEY";
  const isWaiting = key !== null && (created !== null || !hasRequest);
  return (
    <ol className="grid border-t">
      <Step done={key !== null || hasRequest} title="Create an API key">
        <p>A program uses a key to act for this organization. Its secret is shown once.</p>
        {key === null && !hasRequest && (
          <div className="mt-2">
            <CreateKey reason={reason} onCreated={setCreated} />
          </div>
        )}
      </Step>
      <Step done={isSeen || (hasRequest && !isWaiting)} title="Call the API">
        {isWaiting ? (
          <div className="mt-1 grid max-w-2xl gap-2">
            {created === null && (
              <p>
                Replace <code className="font-mono text-sm">$KEY</code> with the secret of {key.name}.
              </p>
            )}
            <CodeBlock text={firstCall(secret, baseUrl)} what="the command" wrap />
            <Suspense fallback={<p className="h-7" />}>
              <FirstRequest key={key.id} apiKeyId={key.id} onSeen={onSeen} />
            </Suspense>
          </div>
        ) : (
          <p>
            Every request is recorded in the audit log before its response is sent. Your first request appears here.
          </p>
        )}
      </Step>
      <Step done={hasEndpoint} title="Monitor your first certificate">
        <p>Add a host. Sealwatch checks its certificate now and then regularly.</p>
        {!hasEndpoint && (
          <div className="mt-2">
            <AddEndpoint reason={reason} />
          </div>
        )}
      </Step>
    </ol>
  );
}

function Step({ done, title, children }: { done: boolean; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-3 border-b px-4 py-4 sm:px-5">
      <span
        aria-hidden="true"
        className={`mt-px grid size-[18px] place-items-center rounded-full border ${done ? "border-seal bg-seal text-on-seal" : "border-strong"}`}
      >
        {done && <Check size={11} strokeWidth={3} />}
      </span>
      <div>
        <h2 className="font-medium">
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </h2>
        <div className="text-second">{children}</div>
      </div>
    </li>
  );
}

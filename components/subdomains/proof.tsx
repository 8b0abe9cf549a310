"use client";

import { showFailure } from "@/components/states/show-failure";
import { useVerifyDomain } from "@/components/subdomains/queries";
import { Ago } from "@/components/time/time";
import { CopyButton } from "@/components/ui/copy-button";
import { GuardedButton } from "@/components/ui/guarded-button";
import { Note } from "@/components/ui/note";
import { showToast } from "@/components/ui/toast";
import type { Domain } from "@/lib/subdomains/domain-contract";

/** How to verify a domain: the record to add, and the button that checks it. */
export function Proof({ domain: { id, name, proof }, reason }: { domain: Domain; reason: string | null }) {
  const verify = useVerifyDomain();
  const rows = [
    { what: "Name", text: proof.record_name },
    { what: "Value", text: proof.record_value },
  ];
  return (
    <section aria-labelledby="proof" className="grid max-w-3xl gap-3 px-4 pb-6 sm:px-5">
      <h2 id="proof" className="font-medium text-lg">
        Verify that you own {name}
      </h2>
      <p className="text-second">Add this TXT record to the domain's DNS. Discovery starts once the record is found.</p>
      <dl className="grid rounded-md border bg-panel">
        <div className="flex items-center gap-3 border-b px-3 py-1.5">
          <dt className="w-12 shrink-0 text-second">Type</dt>
          <dd className="font-mono text-sm">TXT</dd>
        </div>
        {rows.map(({ what, text }) => (
          <div key={what} className="flex items-center gap-3 border-b px-3 py-1.5 last:border-b-0">
            <dt className="w-12 shrink-0 text-second">{what}</dt>
            <dd className="min-w-0 flex-1 break-all font-mono text-sm">{text}</dd>
            <dd>
              <CopyButton text={text} what={`the record's ${what.toLowerCase()}`} />
            </dd>
          </div>
        ))}
      </dl>
      {proof.checked_at !== null && proof.error !== null && (
        <Note tone="warn">
          Checked <Ago value={proof.checked_at} />: {proof.error}. A new record can take a few minutes to appear.
        </Note>
      )}
      <div>
        <GuardedButton
          kind="primary"
          reason={reason}
          pending={verify.isPending}
          onClick={() =>
            verify.mutate(
              { id },
              {
                onSuccess: ({ proof: { proven_at, error } }) =>
                  showToast(
                    proven_at === null ? `Not verified yet: ${error}.` : `${name} is verified. Discovery has started.`,
                  ),
                onError: showFailure,
              },
            )
          }
        >
          Verify domain
        </GuardedButton>
      </div>
    </section>
  );
}

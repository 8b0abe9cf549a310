"use client";

import { useMutation } from "@/components/requests/use-mutation";
import { showFailure } from "@/components/states/show-failure";
import { GuardedButton } from "@/components/ui/guarded-button";
import type { PaidPlan } from "@/lib/billing/contract";

/** Opens the payment provider's page: the checkout of `plan`, or the billing portal if it is null. */
export function BillingButton({
  plan,
  label,
  reason,
}: {
  plan: PaidPlan | null;
  label: string;
  reason: string | null;
}) {
  const open = useMutation({
    mutationFn: async () => {
      const [{ call }, contract] = await Promise.all([import("@/lib/http/client"), import("@/lib/billing/contract")]);
      const answer = plan === null ? call(contract.createPortal, {}) : call(contract.createCheckout, { plan });
      return (await answer).data.url;
    },
    onSuccess: (url) => window.location.assign(url),
    onError: showFailure,
  });
  return (
    <GuardedButton
      reason={reason}
      kind={plan === null ? "plain" : "primary"}
      pending={open.isPending || open.isSuccess}
      onClick={() => open.mutate()}
    >
      {label}
    </GuardedButton>
  );
}

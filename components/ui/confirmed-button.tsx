"use client";

import { type ReactNode, useState } from "react";
import { forgetError } from "@/components/requests/forget-error";
import type { Mutation } from "@/components/requests/use-mutation";
import { Confirm } from "@/components/ui/confirm";
import { GuardedButton } from "@/components/ui/guarded-button";

/** A button that asks for a confirmation, then runs `mutation`. The dialog stays open with the error if that fails. */
export function ConfirmedButton<Result, Variables>({
  label,
  name,
  kind = "danger",
  reason,
  title,
  action,
  mutation,
  variables,
  onDone,
  children,
}: {
  label: string;
  /** The button's accessible name, where several buttons have the same label. */
  name?: string;
  kind?: "danger" | "plain" | "quiet";
  /** Why the button is disabled; null if it is enabled. */
  reason: string | null;
  title: string;
  /** The label of the button that confirms: "Revoke key". */
  action: string;
  mutation: Mutation<Result, Variables>;
  variables: Variables;
  onDone: (result: Result) => void;
  /** The consequences. */
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const show = () => {
    forgetError(mutation);
    setOpen(true);
  };
  const onSuccess = (result: Result) => {
    setOpen(false);
    onDone(result);
  };
  return (
    <>
      <GuardedButton kind={kind} reason={reason} aria-label={name} onClick={show}>
        {label}
      </GuardedButton>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={title}
        action={action}
        pending={mutation.isPending}
        error={mutation.error}
        onConfirm={() => mutation.mutate(variables, { onSuccess })}
      >
        {children}
      </Confirm>
    </>
  );
}

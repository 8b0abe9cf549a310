import type { ReactNode } from "react";
import { FormFailure } from "@/components/states/form-failure";
import { Button } from "@/components/ui/button";
import type { ButtonKind } from "@/components/ui/button-class";
import { CancelButton, DialogButtons } from "@/components/ui/dialog";

/** The end of a form in a dialog: why it failed, and its two buttons. */
export function FormEnd({
  error,
  message,
  action,
  kind = "primary",
  pending,
  onCancel,
}: {
  error: unknown;
  message: string | null;
  /** The words of the button that submits. */
  action: ReactNode;
  kind?: ButtonKind;
  pending: boolean;
  onCancel: () => void;
}) {
  return (
    <>
      <FormFailure error={error} message={message} />
      <DialogButtons>
        <CancelButton onClick={onCancel} />
        <Button type="submit" kind={kind} pending={pending}>
          {action}
        </Button>
      </DialogButtons>
    </>
  );
}

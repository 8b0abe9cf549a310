"use client";

import { useDeleteEndpoint } from "@/components/certificates/queries";
import { failureOf } from "@/components/states/failure";
import { Confirm } from "@/components/ui/confirm";

/** Asks before an endpoint is no longer watched. */
export function DeleteEndpoint({
  id,
  name,
  onCancel,
  onDeleted,
}: {
  id: string;
  name: string;
  onCancel: () => void;
  onDeleted: () => void;
}) {
  const remove = useDeleteEndpoint();
  return (
    <Confirm
      open
      onOpenChange={onCancel}
      title={`Stop watching ${name}?`}
      deed="Delete the endpoint"
      pending={remove.isPending}
      error={failureOf(remove.error).message ?? undefined}
      onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
    >
      <p>
        Nobody is told any more when its certificate runs out, and its findings are forgotten. Programs that ask the API
        for this endpoint get 404. The certificates it served stay known.
      </p>
    </Confirm>
  );
}

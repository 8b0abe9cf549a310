"use client";

import { useDeleteEndpoint } from "@/components/certificates/queries";
import { Confirm } from "@/components/ui/confirm";

/** Deletes an endpoint after a confirmation. */
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
      title={`Delete ${name}?`}
      action="Delete endpoint"
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id }, { onSuccess: onDeleted })}
    >
      <p>
        Sealwatch no longer checks it or notifies anyone when its certificate expires, and deletes its findings. The API
        returns 404 for this endpoint. The certificates it served stay in the inventory.
      </p>
    </Confirm>
  );
}

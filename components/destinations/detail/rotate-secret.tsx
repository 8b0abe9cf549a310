"use client";

import { useRotateDestinationSecret } from "@/components/destinations/queries";
import { RotateSecret as Rotate } from "@/components/notification-channels/rotate-secret";

/** Replaces the secret that signs the requests of a destination, and shows the new one once. */
export function RotateSecret(props: { id: string; name: string; onClose: () => void }) {
  return <Rotate {...props} sent="requests" rotation={useRotateDestinationSecret()} />;
}

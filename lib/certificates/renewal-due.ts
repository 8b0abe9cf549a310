import type { Validity } from "@/lib/certificates/lifetime";

/** The remaining share of the lifetime at which a certificate should be renewed. */
export const DUE_SHARE = 1 / 3;

/** When a certificate should be renewed: the one place that decides it. */
export function renewalDueAt({ notBefore, notAfter }: Validity): Date {
  return new Date(notAfter.getTime() - (notAfter.getTime() - notBefore.getTime()) * DUE_SHARE);
}

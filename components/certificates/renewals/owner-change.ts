import { type RenewalMethod, renewalMethodLabels } from "@/lib/certificates/renewal-fields";

/** What changes about who renews the certificates of several endpoints; what is left out stays as it is. */
export interface OwnerChange {
  owner?: string | null;
  renewal_method?: RenewalMethod;
}

/** What a form changes: an empty owner or method stays as it is. */
export function ownerChange(owner: string, method: RenewalMethod | ""): OwnerChange {
  const typed = owner.trim();
  return { ...(typed !== "" && { owner: typed }), ...(method !== "" && { renewal_method: method }) };
}

/** What the toast says that happened to the endpoints. */
export function ownerWords({ owner, renewal_method: method }: OwnerChange): string {
  const words = [
    ...(owner === undefined ? [] : [owner === null ? "without an owner" : `owned by ${owner}`]),
    ...(method === undefined ? [] : [`with the method “${renewalMethodLabels[method]}”`]),
  ];
  return `now ${words.join(" and ") || "as before"}`;
}

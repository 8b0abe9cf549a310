import { type RenewalMethod, renewalMethods } from "@/lib/certificates/renewal-fields";

/** The controls about the renewal, as typed. */
export interface RenewalFields {
  owner: string;
  method: RenewalMethod | "";
  note: string;
  url: string;
}

/** The API's fields. */
export interface Renewal {
  owner: string | null;
  renewal_method: RenewalMethod | null;
  renewal_note: string | null;
  renewal_link: string | null;
}

/** The API's names of these fields. */
export const RENEWAL = ["owner", "renewal_method", "renewal_note", "renewal_link"];

/** The controls' initial values. */
export function renewalFieldsOf(renewal?: Renewal): RenewalFields {
  return {
    owner: renewal?.owner ?? "",
    method: renewal?.renewal_method ?? "",
    note: renewal?.renewal_note ?? "",
    url: renewal?.renewal_link ?? "",
  };
}

/** The method of a select's value. */
export function methodOf(value: string): RenewalMethod | "" {
  return renewalMethods.find((method) => method === value) ?? "";
}

/** What the API gets. */
export function sentRenewal({ owner, method, note, url }: RenewalFields): Renewal {
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    owner: orNull(owner),
    renewal_method: method === "" ? null : method,
    renewal_note: orNull(note),
    renewal_link: orNull(url),
  };
}

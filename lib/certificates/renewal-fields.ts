import * as z from "zod";
import { name } from "@/lib/http/endpoint";
import { labelList } from "@/lib/text/labels";

/** How a certificate is renewed. */
export const renewalMethods = ["manual", "acme", "cloud", "script", "other"] as const;
export type RenewalMethod = (typeof renewalMethods)[number];

export const renewalMethodLabels: Readonly<Record<RenewalMethod, string>> = {
  manual: "By hand",
  acme: "ACME client",
  cloud: "Cloud provider",
  script: "Script",
  other: "Other",
};

const URL_START = /^https?:\/\//i;

/** Who renews an endpoint's certificate. */
export const owner = name.nullable().describe("Who renews the certificate, such as a team; null if nobody is named.");

/** Who renews an endpoint's certificate, and how; each null if it is not stated. */
export const renewalFields = {
  owner,
  renewal_method: z
    .enum(renewalMethods)
    .nullable()
    .describe(`How the certificate is renewed. ${labelList(renewalMethodLabels)}`),
  renewal_note: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(1000, "must have at most 1000 characters")
    .regex(/^[^\0\p{Cs}\p{Bidi_Control}]*$/u, "must not contain control characters")
    .nullable()
    .describe("Notes for whoever renews it."),
  renewal_link: z
    .url("must be a URL")
    .max(500, "must have at most 500 characters")
    .regex(URL_START, "must begin with https:// or http://")
    .nullable()
    .describe("Where the renewal is done or described, such as a runbook."),
};

/** The fields as an update accepts them: omitted ones stay. */
export const renewalChanges = {
  owner: renewalFields.owner.optional(),
  renewal_method: renewalFields.renewal_method.optional(),
  renewal_note: renewalFields.renewal_note.optional(),
  renewal_link: renewalFields.renewal_link.optional(),
};

interface RenewalRow {
  owner: string;
  renewalMethod: string | null;
  renewalNote: string | null;
  renewalLink: string | null;
}

/** The fields as the contract shows them. */
export function toRenewalFields({ owner, renewalMethod, renewalNote, renewalLink }: RenewalRow) {
  return {
    owner: owner === "" ? null : owner,
    renewal_method: renewalMethods.find((method) => method === renewalMethod) ?? null,
    renewal_note: renewalNote,
    renewal_link: renewalLink,
  };
}

type Given = { [Field in keyof typeof renewalFields]?: string | null | undefined };

/** The columns after a change of the given fields; `before` is undefined for a new endpoint. */
export function renewalColumns(given: Given, before?: RenewalRow): RenewalRow {
  const changed = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value);
  return {
    owner: changed(given.owner, before?.owner ?? "") ?? "",
    renewalMethod: changed(given.renewal_method, before?.renewalMethod ?? null),
    renewalNote: changed(given.renewal_note, before?.renewalNote ?? null),
    renewalLink: changed(given.renewal_link, before?.renewalLink ?? null),
  };
}

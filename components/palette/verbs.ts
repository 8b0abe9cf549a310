import type { KeyAction } from "@/components/api-keys/lazy-key-dialog";
import { destinationButtons } from "@/components/palette/destination-buttons";

/** The actions of a key, which are offered by a verb in front of its name. */
export const keyActions: readonly { action: KeyAction; verb: string }[] = [
  { action: "edit", verb: "Edit" },
  { action: "rotate", verb: "Rotate" },
  { action: "revoke", verb: "Revoke" },
];

/** What is typed in front of a name. */
export interface Verb {
  verb: string;
  /** What has the name. */
  of: string;
}

export const verbs: readonly Verb[] = [
  ...keyActions.map(({ verb }) => ({ verb, of: "key" })),
  ...destinationButtons.map(({ verb }) => ({ verb, of: "destination" })),
];

/** `rotate ci` → the verb, and what to search for. */
export function commandIn(typed: string): { verb: Verb | null; object: string } {
  const [, first = "", object = ""] = /^\s*(\w+)\s+(.*)$/.exec(typed) ?? [];
  const verb = verbs.find((each) => each.verb.toLowerCase() === first.toLowerCase()) ?? null;
  return verb === null ? { verb, object: typed } : { verb, object };
}

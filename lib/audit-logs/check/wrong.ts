import { idTime } from "@/lib/ids";

/** A fault that a check found in a sealed log: a sentence, and the first wrong index; null if no entry is wrong. */
export interface Wrong {
  index: number | null;
  message: string;
}

/** An event in a sentence: `the event 0199… of 2026-11-23T08:00:00.000Z`. */
export function eventWords(id: string): string {
  return `the event ${id} of ${new Date(idTime(id)).toISOString()}`;
}

import type { RequestFailed } from "@/lib/http/client";

export interface Failure {
  /** The message for the whole form; null if every issue belongs to a field. */
  message: string | null;
  /** Messages by field name. */
  fields: Record<string, string>;
}

/** Compares the name, because the class is in the client, which a page only loads when it calls the API. */
export function isRequestFailed(error: unknown): error is RequestFailed {
  return error instanceof Error && error.name === "RequestFailed";
}

/** Whether a request was refused because the session has ended: the page must stay as it is, because it has what was typed. */
export function isSessionOver(error: unknown): boolean {
  return isRequestFailed(error) && error.code === "UNAUTHENTICATED";
}

/** The failure of a request, split into messages for a form with these fields. */
export function failureOf(error: unknown, names: readonly string[] = []): Failure {
  if (error === null || error === undefined) return { message: null, fields: {} };
  if (!isRequestFailed(error)) return { message: "Something went wrong on this page. Reload it.", fields: {} };
  if (isSessionOver(error)) return { message: "Your session has ended. Sign in again, then try again.", fields: {} };
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { path, message } of error.details.issues ?? []) {
    const [name = "", at] = path.split(".");
    const words = sentence(at !== undefined && /^\d+$/.test(at) ? `entry ${Number(at) + 1} ${message}` : message);
    const key = names.includes(path) ? path : name;
    if (names.includes(key)) fields[key] = key in fields ? `${fields[key]}\n${words}` : words;
    else others.push(`${path}: ${message}`);
  }
  const isPlaced = Object.keys(fields).length > 0 && others.length === 0;
  return { message: isPlaced ? null : error.message, fields };
}

/** An issue as a sentence. */
export function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

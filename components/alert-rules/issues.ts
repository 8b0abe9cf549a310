import { isRequestFailed } from "@/components/states/failure";

/** What is wrong at a field or below it, such as `steps.0`; undefined where nothing is. */
export type Wrong = (path: string) => string | undefined;

function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Finds what a refused request said of a field. Every field of a rule has its place, so nothing is left over. */
export function wrongOf(error: unknown): Wrong {
  const issues = isRequestFailed(error) ? (error.details.issues ?? []) : [];
  return (path) => {
    const mine = issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
    return mine.length === 0 ? undefined : mine.map(({ message }) => sentence(message)).join("\n");
  };
}

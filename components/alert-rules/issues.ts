import { isRequestFailed, sentence } from "@/components/states/failure";

/** The error of a field or of the fields below it, such as `steps.0`; undefined if there is none. */
export type Wrong = (path: string) => string | undefined;

/** Finds the errors of a rejected request by field. The editor shows every field of a rule, so no error is lost. */
export function wrongOf(error: unknown): Wrong {
  const issues = isRequestFailed(error) ? (error.details.issues ?? []) : [];
  return (path) => {
    const mine = issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
    return mine.length === 0 ? undefined : mine.map(({ message }) => sentence(message)).join("\n");
  };
}

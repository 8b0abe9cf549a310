import { hrefWith } from "@/components/layout/href-with";
import { LinkButton } from "@/components/ui/button";
import { Note } from "@/components/ui/note";

/** Links to the first and the next page of a list. */
export function Pages({ path, params, next }: { path: string; params: Record<string, string>; next: string | null }) {
  const isLater = params.cursor !== undefined;
  if (next === null && !isLater) return null;
  return (
    <nav aria-label="Pages" className="flex justify-between gap-2 px-4 pt-3 sm:px-5">
      {isLater ? (
        <LinkButton prefetch={false} href={hrefWith(path, params, { cursor: null })}>
          First page
        </LinkButton>
      ) : (
        <span />
      )}
      {next !== null && (
        <LinkButton prefetch={false} href={hrefWith(path, params, { cursor: next })}>
          Next page
        </LinkButton>
      )}
    </nav>
  );
}

/** Says that the URL is invalid, and why. */
export function InvalidView({ path, words }: { path: string; words: string }) {
  return (
    <div className="grid justify-items-start gap-3 px-4 pb-3 sm:px-5">
      <Note tone="bad" alert>
        This view cannot be shown: {words}.
      </Note>
      <LinkButton href={path}>Clear filters</LinkButton>
    </div>
  );
}

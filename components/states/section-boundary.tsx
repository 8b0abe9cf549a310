"use client";

import { unstable_rethrow, useRouter } from "next/navigation";
import { Component, type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";

/** Keeps a failure of one part of a page to that part: the rest stays, and this part can be tried again. */
export class SectionBoundary extends Component<{ what: string; children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    unstable_rethrow(error);
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failed what={this.props.what} error={error} onRetry={() => this.setState({ error: null })} />;
  }
}

function Failed({ what, error, onRetry }: { what: string; error: Error & { digest?: string }; onRetry: () => void }) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-y px-4 py-2.5 text-second sm:px-5">
      <span>
        <span className="text-bad">{what} could not be read.</span> The rest of the page is not affected.
        {error.digest && <span className="ml-2 font-mono text-sm">{error.digest}</span>}
      </span>
      <Button
        pending={pending}
        onClick={() =>
          startTransition(() => {
            router.refresh();
            onRetry();
          })
        }
      >
        Try again
      </Button>
    </div>
  );
}

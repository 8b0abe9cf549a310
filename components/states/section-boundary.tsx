"use client";

import { unstable_rethrow, useRouter } from "next/navigation";
import { Component, type ReactNode, useTransition } from "react";
import { Button } from "@/components/ui/button";

interface Props {
  what: string;
  /** Identifies the content of the part; a change clears its failure. */
  of?: string;
  children: ReactNode;
}

interface State {
  error: Error | null;
  of: string | undefined;
}

/** Limits a failure to one part of a page: the rest stays, and this part can be retried. */
export class SectionBoundary extends Component<Props, State> {
  override state: State = { error: null, of: this.props.of };

  static getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { error: null, of };
  }

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
        <span className="text-bad">{what} could not be loaded.</span> The rest of the page is not affected.
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

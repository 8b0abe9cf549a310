"use client";

import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { DialogButtons } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";

/** A heartbeat's URL, shown once, and a command that calls it. */
export function HeartbeatUrl({ url, onDone }: { url: string; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <Note tone="warn">
        This is the only time the URL is shown. Sealwatch stores only a fingerprint of it. If you lose it, replace it.
      </Note>
      <section>
        <h3 className="mb-1 font-medium">URL</h3>
        <CodeBlock text={url} what="the URL" wrap />
      </section>
      <section>
        <h3 className="mb-1 font-medium">Call it at the end of the job</h3>
        <CodeBlock text={`your-job && curl -fsS -m 10 --retry 3 ${url}`} what="the command" wrap />
      </section>
      <DialogButtons>
        <Button kind="primary" onClick={onDone}>
          I have stored the URL
        </Button>
      </DialogButtons>
    </div>
  );
}

"use client";

import { type DragEvent, useEffect, useRef, useState } from "react";
import { type Verdict, verifyFile } from "@/components/integrity/verify-file";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { Field, Input, Textarea } from "@/components/ui/field";
import { Note } from "@/components/ui/note";

type State =
  | { kind: "idle" }
  | { kind: "running"; bytes: number }
  | { kind: "done"; verdict: Verdict }
  | { kind: "failed"; message: string };

/** Verifies a bundle in the browser. `vkey` is the log's key, which can be replaced by one that was noted elsewhere. */
export function VerifyBundle({ vkey }: { vkey: string | null }) {
  const [ownKey, setOwnKey] = useState<string | null>(null);
  const [checkpoint, setCheckpoint] = useState<File | null>(null);
  const [witnessKeys, setWitnessKeys] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [state, setState] = useState<State>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  // A page that is refreshed in vain still knows the key.
  const [known, setKnown] = useState(vkey);
  if (vkey !== null && vkey !== known) setKnown(vkey);
  const key = ownKey ?? known ?? "";
  const start = async (chosen: File) => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setFile(chosen);
    setState({ kind: "running", bytes: 0 });
    try {
      const options = {
        vkey: key.trim(),
        checkpoints: checkpoint === null ? [] : [await checkpoint.text()],
        witnesses: witnessKeys.split("\n").flatMap((line) => line.trim() || []),
      };
      const verdict = await verifyFile(chosen, options, (bytes) => setState({ kind: "running", bytes }), signal);
      setState({ kind: "done", verdict });
    } catch (error) {
      if (signal.aborted) return;
      setState({ kind: "failed", message: error instanceof Error ? error.message : "The file could not be read." });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setState({ kind: "idle" });
  };
  /** Changes what a bundle is verified against, of which the verdict that is shown says nothing. */
  const against = (change: () => void) => {
    cancel();
    change();
  };
  return (
    <section aria-labelledby="verify" className="grid min-w-0 grid-cols-1 content-start gap-4">
      <div>
        <h2 id="verify" className="font-medium">
          Verify a bundle
        </h2>
        <p className="mt-0.5 text-pretty text-second">
          The file is verified in this browser and not uploaded. This page comes from the server that is being checked:
          as evidence for others, run the downloaded verifier on another machine.
        </p>
      </div>
      <Field label="Verifier key" hint="Compare it with the key that you noted elsewhere, or enter the noted key.">
        {(control) => (
          <Input {...control} mono value={key} onChange={(event) => against(() => setOwnKey(event.target.value))} />
        )}
      </Field>
      <Field
        label="Older checkpoint"
        optional
        hint="A checkpoint that you kept: the log must still begin with the entries that it covers."
      >
        {(control) => (
          <input
            {...control}
            type="file"
            className="w-full min-w-0 text-second file:mr-2.5 file:h-7 file:cursor-pointer file:rounded-sm file:border file:border-strong file:bg-panel file:px-2.5 file:font-medium file:text-ink"
            onChange={(event) => against(() => setCheckpoint(event.target.files?.[0] ?? null))}
          />
        )}
      </Field>
      <Field
        label="Witness keys"
        optional
        hint="One per line, from each witness itself: its cosignatures then show when entries were in the log, whatever the operator's clock said."
      >
        {(control) => (
          <Textarea
            {...control}
            mono
            rows={2}
            value={witnessKeys}
            onChange={(event) => against(() => setWitnessKeys(event.target.value))}
          />
        )}
      </Field>
      <DropZone onFile={start} />
      {state.kind === "running" && file !== null && <Progress file={file} bytes={state.bytes} onCancel={cancel} />}
      {state.kind === "failed" && (
        <Note tone="bad" alert>
          {state.message}
        </Note>
      )}
      {state.kind === "done" && file !== null && <VerdictNote verdict={state.verdict} name={file.name} />}
      {state.kind !== "running" && file !== null && (
        <div>
          <Button onClick={() => start(file)}>Verify again</Button>
        </div>
      )}
    </section>
  );
}

function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) onFile(dropped);
  };
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={cx(
        "grid cursor-pointer place-items-center rounded-md border border-strong border-dashed px-4 py-6 text-center hover:border-third has-focus-visible:outline has-focus-visible:outline-seal",
        isOver && "bg-seal-wash",
      )}
    >
      <input
        type="file"
        className="sr-only"
        onChange={(event) => {
          const [chosen] = event.target.files ?? [];
          if (chosen) onFile(chosen);
          // The same file can be chosen again.
          event.target.value = "";
        }}
      />
      <span>
        Drop a bundle here, or <span className="text-seal underline">choose a file</span>
      </span>
    </label>
  );
}

function Progress({ file, bytes, onCancel }: { file: File; bytes: number; onCancel: () => void }) {
  return (
    <div className="grid gap-1">
      <progress
        aria-label="Verification"
        max={Math.max(1, file.size)}
        value={bytes}
        className="h-1.5 w-full accent-seal"
      />
      <div className="flex items-center justify-between gap-4 text-second tabular-nums">
        <span className="min-w-0 break-words">
          {file.name}: {Math.floor((100 * bytes) / Math.max(1, file.size))}% of {(file.size / 1_000_000).toFixed(1)} MB
        </span>
        <Button onClick={onCancel}>Cancel verification</Button>
      </div>
    </div>
  );
}

/** The verdict by exit status of the verifier. */
const tones = ["seal", "bad", "warn"] as const;

function VerdictNote({ verdict: { code, verdict, open, remarks }, name }: { verdict: Verdict; name: string }) {
  return (
    <div role="status" className="grid gap-2">
      <Note tone={tones[code] ?? "bad"}>
        <p className="break-words font-medium">{verdict}</p>
        {open.length > 0 && (
          <ul className="mt-1 list-disc pl-4">
            {open.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
      </Note>
      {remarks.map((sentence) => (
        <p key={sentence} className="text-pretty text-second">
          {sentence}
        </p>
      ))}
      <p className="break-words text-second text-sm">{name}</p>
    </div>
  );
}

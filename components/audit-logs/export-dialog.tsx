"use client";

import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { rowCounter } from "@/components/audit-logs/figures/count-rows";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { readView, shownFilters } from "@/components/audit-logs/views/view";
import { saveFile, startDownload } from "@/components/requests/downloads";
import { Button } from "@/components/ui/button";
import { Dialog, DialogButtons } from "@/components/ui/dialog";
import { Field, Select } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import type { Format } from "@/lib/audit-logs/read/export-contract";
import { organizationHeaders } from "@/lib/http/page-organization";
import { formatCount, plural } from "@/lib/text/counts";
import { SESSION_OVER } from "@/lib/text/session-over";

const formats: { value: Format; label: string }[] = [
  { value: "csv", label: "CSV, for spreadsheets" },
  { value: "ndjson", label: "NDJSON, one entry per line, with a hash at the end" },
  { value: "json", label: "JSON, one array" },
];

/** Larger exports go directly to the browser's downloads, because this page would have to hold them in memory. */
const MAX_HELD_ROWS = 250_000;
/** Time between two updates of the progress. */
const PROGRESS_INTERVAL_MS = 100;

/** A response that is not a file; its message is for the person. */
class ExportRefused extends Error {}

type State =
  | { kind: "idle" }
  | { kind: "running"; rows: number; bytes: number; total: number | null }
  | { kind: "done"; rows: number; bytes: number; name: string }
  | { kind: "failed"; message: string };

/** Exports all entries of the view as a file and shows the progress. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { params, readOnly } = useExplorerView();
  const [state, setState] = useState<State>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const format = formats.find(({ value }) => value === data.get("format"))?.value ?? "csv";
    // A file is complete: it has the reads that the list hides.
    const { order: _order, ...filters } = readView({ ...params, reads: "shown" }, Date.now()).query;
    const query = new URLSearchParams({ format, ...(data.get("body") && { include: "body" }), ...filters });
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "running", rows: 0, bytes: 0, total: null });
    try {
      const total = await countOf(filters, controller.signal);
      if (total > MAX_HELD_ROWS) {
        startDownload(`/api/v1/audit-logs/export?${query}`);
        return onClose();
      }
      const file = await readExport(format, query, controller.signal, (rows, bytes) =>
        setState({ kind: "running", rows, bytes, total }),
      );
      saveFile(file.content, file.name);
      setState({ kind: "done", rows: file.rows, bytes: file.content.size, name: file.name });
    } catch (error) {
      if (controller.signal.aborted) return setState({ kind: "idle" });
      const message = error instanceof ExportRefused ? error.message : "The download was interrupted.";
      setState({ kind: "failed", message });
    }
  };
  const isRunning = state.kind === "running";
  const { hidesReads } = readView(params, 0);
  return (
    <Dialog
      open
      sticky={isRunning}
      onOpenChange={onClose}
      title="Export this view"
      description="All matching entries as of now, oldest first. The export itself is recorded in the audit log."
    >
      <form className="grid gap-4" onSubmit={start}>
        <Field label="Format">
          {(control) => (
            <Select {...control} name="format" disabled={isRunning}>
              {formats.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <label className="flex items-center gap-2">
          <input type="checkbox" name="body" disabled={isRunning} />
          Include request bodies as submitted
        </label>
        {hidesReads && <p className="text-second">The file includes the reads in the dashboard that the list hides.</p>}
        <Progress state={state} />
        <p className="text-pretty text-second">
          A file ends with the newest entry.{" "}
          {readOnly === null ? (
            <Link
              prefetch={false}
              href={`/destinations/new?${new URLSearchParams({ about: shownFilters(params) })}`}
              className="text-seal underline"
            >
              Send new entries
            </Link>
          ) : (
            "An admin can send new entries"
          )}{" "}
          to a SIEM or collector, as they are sealed.
        </p>
        <DialogButtons>
          {isRunning ? (
            <Button onClick={() => running.current?.abort()}>Cancel export</Button>
          ) : (
            <Button onClick={onClose}>Close</Button>
          )}
          <Button type="submit" kind="primary" pending={isRunning}>
            {state.kind === "done" ? "Export again" : "Export"}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function Progress({ state }: { state: State }) {
  if (state.kind === "idle") return null;
  if (state.kind === "failed") {
    return (
      <Note tone="bad" alert>
        {state.message} No file was saved.
      </Note>
    );
  }
  const size = `${(state.bytes / 1_000_000).toFixed(1)} MB`;
  if (state.kind === "done") {
    return (
      <p role="status" className="text-pretty">
        Saved {plural(state.rows, "entry", "entries")} ({size}) as{" "}
        <span className="font-mono text-sm">{state.name}</span>.
      </p>
    );
  }
  const { rows, total } = state;
  return (
    <div className="grid gap-1">
      <progress
        aria-label="Export"
        max={Math.max(1, total ?? 1)}
        {...(total !== null && { value: Math.min(rows, total) })}
        className="h-1.5 w-full accent-seal"
      />
      <p className="text-second tabular-nums">
        {total === null ? "Counting…" : `${formatCount(rows)} of ${plural(total, "entry", "entries")}, ${size}`}
      </p>
    </div>
  );
}

/** The number of matching entries, the same as in the figures above the list. */
async function countOf(filters: Record<string, string>, signal: AbortSignal): Promise<number> {
  const response = await fetch(`/api/v1/audit-logs/stats?${new URLSearchParams(filters)}`, {
    signal,
    headers: organizationHeaders(),
  });
  if (!response.ok) throw new ExportRefused(await wordsOf(response));
  const { data } = (await response.json()) as { data: { totals: { requests: number } } };
  return data.totals.requests;
}

async function readExport(
  format: Format,
  query: URLSearchParams,
  signal: AbortSignal,
  onProgress: (rows: number, bytes: number) => void,
): Promise<{ content: Blob; name: string; rows: number }> {
  const response = await fetch(`/api/v1/audit-logs/export?${query}`, { signal, headers: organizationHeaders() });
  if (!response.ok || response.body === null) throw new ExportRefused(await wordsOf(response));
  const counter = rowCounter(format);
  const parts: BlobPart[] = [];
  let bytes = 0;
  let reportedAt = 0;
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    counter.add(read.value);
    bytes += read.value.length;
    if (performance.now() - reportedAt > PROGRESS_INTERVAL_MS) {
      reportedAt = performance.now();
      onProgress(counter.rows(), bytes);
    }
  }
  const [, name = `audit.${format}`] =
    /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  return { content: new Blob(parts), name, rows: counter.rows() };
}

async function wordsOf(response: Response): Promise<string> {
  if (response.status === 401) return SESSION_OVER;
  const answer = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  return answer?.error?.message ?? "The server returned an unexpected response.";
}

"use client";

import { ChevronDown, ChevronUp, Maximize2, X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { AroundSkeleton, EntryAround, EntryRequest, RequestSkeleton } from "@/components/audit-logs/entry/entry-parts";
import { EventDetails } from "@/components/audit-logs/entry/event-details";
import { EventFacts, FactsSkeleton } from "@/components/audit-logs/entry/event-facts";
import { EventNotes } from "@/components/audit-logs/entry/event-notes";
import { redacting } from "@/components/audit-logs/entry/redacting";
import { eventTitle } from "@/components/audit-logs/events/cells";
import { useExplorerView } from "@/components/audit-logs/views/explorer-view";
import { EXPLORER, readView } from "@/components/audit-logs/views/view";
import { callEndpoint } from "@/components/layout/use-endpoint";
import { useQuery } from "@/components/requests/use-query";
import { isRequestFailed } from "@/components/states/failure";
import { Button, LinkButton } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Kbd } from "@/components/ui/kbd";
import { Note } from "@/components/ui/note";
import { Skeleton } from "@/components/ui/skeleton";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Entry } from "@/lib/audit-logs/read/get-contract";
import { WITHOUT_READS } from "@/lib/audit-logs/via";

/** Entries passed while a key is held down are not fetched. */
const SETTLED_MS = 150;

/** One entry beside the list. j and k open its neighbours in the list; Escape closes it. */
export function EntryDrawer({
  id,
  events,
  onOpen,
  onClose,
}: {
  id: string;
  events: AuditEvent[];
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const panel = useRef<HTMLElement>(null);
  const at = events.findIndex((event) => event.id === id);
  const [above, below] = [events[at - 1], at === -1 ? undefined : events[at + 1]];
  const { entry, error, retry } = useEntry(id);
  const known = entry ?? events[at];
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (id) panel.current?.scrollTo({ top: 0 });
  }, [id]);
  const act = useEffectEvent((key: KeyboardEvent) => {
    const target = key.target as Element;
    if (key.defaultPrevented || key.metaKey || key.ctrlKey || key.altKey) return;
    if (target.closest("input, textarea, select, dialog, [role=menu], [role=combobox]")) return;
    if (key.key === "Escape") onClose();
    const next = { j: below, k: above }[key.key];
    if (!next || !panel.current?.contains(target)) return;
    key.preventDefault();
    onOpen(next.id);
  });
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => act(key);
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <section
      ref={panel}
      aria-label="Entry"
      tabIndex={-1}
      data-keys=""
      className="fixed inset-y-0 right-0 z-40 w-full animate-appear overflow-y-auto overscroll-contain border-l bg-panel outline-none max-xl:shadow-float sm:w-[28rem]"
    >
      <header className="sticky top-0 z-10 flex items-start gap-1 border-b bg-panel py-3 pr-3 pl-5 max-sm:flex-wrap max-sm:justify-end">
        <h2 className="min-w-0 flex-1 break-words pt-1 font-mono max-sm:order-last max-sm:basis-full">
          {known ? (
            <>
              <span className="text-second">{known.request?.method}</span> {known.request?.path ?? eventTitle(known)}
            </>
          ) : (
            "Entry"
          )}
        </h2>
        <Step label="Previous entry (k)" to={above} onOpen={onOpen}>
          <ChevronUp size={14} aria-hidden="true" />
        </Step>
        <Step label="Next entry (j)" to={below} onOpen={onOpen}>
          <ChevronDown size={14} aria-hidden="true" />
        </Step>
        <CopyButton text={() => `${location.origin}${EXPLORER}/${id}`} what="a link to the entry" />
        <LinkButton
          prefetch={false}
          kind="quiet"
          icon
          href={`${EXPLORER}/${id}`}
          aria-label="Open as a page"
          title="Open as a page"
        >
          <Maximize2 size={13} aria-hidden="true" />
        </LinkButton>
        <Button kind="quiet" icon aria-label="Close" title="Close" onClick={onClose}>
          <X size={14} aria-hidden="true" />
        </Button>
      </header>
      <div className="grid gap-4 px-5 py-4">
        {error && <Refused error={error} onRetry={retry} />}
        {known ? (
          <KnownEntry known={known} entry={entry} isRefused={error !== null} />
        ) : (
          error === null && (
            <div aria-busy="true" className="grid gap-2">
              <Skeleton className="w-16" />
              <Skeleton className="h-24 w-full" />
            </div>
          )
        )}
        <p className="text-sm text-third max-lg:hidden">
          <Kbd>j</Kbd> <Kbd>k</Kbd> next and previous, <Kbd>Esc</Kbd> close
        </p>
      </div>
    </section>
  );
}

/** What the list knows of the entry, at once; the rest has its place until the whole entry is there. */
function KnownEntry({ known, entry, isRefused }: { known: AuditEvent; entry: Entry | undefined; isRefused: boolean }) {
  const context = entry?.context;
  const isWaiting = entry === undefined && !isRefused;
  return (
    <>
      <EventNotes event={known} />
      {isWaiting ? (
        <FactsSkeleton event={known} />
      ) : (
        entry && <EventFacts event={known} facts={context?.facts ?? null} />
      )}
      <div>
        <EventDetails event={known} facts={context?.facts ?? null} />
      </div>
      {isWaiting ? (
        <RequestSkeleton event={known} />
      ) : (
        entry && <EntryRequest event={entry} baseUrl={location.origin} />
      )}
      {isWaiting ? <AroundSkeleton /> : entry && <EntryAround context={context ?? null} current={known.id} />}
    </>
  );
}

function Step({
  label,
  to,
  onOpen,
  children,
}: {
  label: string;
  to: AuditEvent | undefined;
  onOpen: (id: string) => void;
  children: ReactNode;
}) {
  return (
    <Button
      kind="quiet"
      icon
      aria-label={label}
      title={label}
      aria-disabled={to === undefined || undefined}
      onClick={() => to && onOpen(to.id)}
    >
      {children}
    </Button>
  );
}

function Refused({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isGone = isRequestFailed(error) && error.code === "NOT_FOUND";
  return (
    <Note tone="bad" alert>
      {isGone
        ? "Entry not found. The address is wrong, the entry is older than the retention period, or it belongs to another organization."
        : `The full entry could not be loaded. ${error.message} `}
      {!isGone && (
        <button type="button" onClick={onRetry} className="font-medium underline underline-offset-2">
          Try again
        </button>
      )}
    </Note>
  );
}

const isOnHold = (entry: Entry | undefined) => entry?.context?.facts.some(({ kind }) => kind === "on_hold") === true;

/** The entry with its body and context, in one request. Sealed entries never change until they are redacted, so each is fetched once. */
function useEntry(id: string) {
  const { hidesReads } = readView(useExplorerView().params, 0);
  const { data, error, refetch } = useQuery({
    queryKey: ["audit-log", id, hidesReads],
    enabled: useSettled(id) === id,
    // The seal is still to come, or a redaction, or the release of a hold.
    staleTime: ({ state }: { state: { data?: Entry | undefined } }) =>
      state.data?.seal === null || redacting.has(id) || isOnHold(state.data) ? 0 : Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      callEndpoint(
        async () => (await import("@/lib/audit-logs/read/get-contract")).getAuditLog,
        { id, include: "context", ...(hidesReads && { via: WITHOUT_READS }) },
        signal,
      ),
  });
  return { entry: data, error, retry: () => void refetch() };
}

/** The id without changes that follow each other at once: the first takes effect immediately, then only the last. */
function useSettled(id: string): string {
  const [settled, setSettled] = useState(id);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const isFirst = performance.now() - changedAt.current > SETTLED_MS;
    changedAt.current = performance.now();
    const timer = setTimeout(() => setSettled(id), isFirst ? 0 : SETTLED_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return settled;
}

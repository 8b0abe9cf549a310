import type { ReactNode } from "react";
import { Body } from "@/components/audit-logs/entry/body";
import { toCurl } from "@/components/audit-logs/entry/curl";
import { EventsAround } from "@/components/audit-logs/events/events-around";
import { CodeBlock } from "@/components/ui/code-block";
import { Skeleton } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import type { AuditEvent, AuditEventWithBody } from "@/lib/audit-logs/contract";
import type { AuditContext } from "@/lib/audit-logs/read/context-contract";

/** The body, and a command that repeats the request. */
export function EntryRequest({ event, baseUrl }: { event: AuditEventWithBody; baseUrl: string }) {
  const curl = toCurl(event, baseUrl);
  return (
    <>
      {event.request && (
        <Part title="Body">
          <Body event={event} />
        </Part>
      )}
      {curl && (
        <Part title="cURL command (without the secret)">
          <CodeBlock text={curl} what="the command" wrap />
        </Part>
      )}
    </>
  );
}

/** The place of an event's body until it is loaded. */
export function RequestSkeleton({ event: { request } }: { event: AuditEvent }) {
  return (
    request && (
      <Part title="Body">
        <Waiting className={request.body_size ? "h-24" : ""} />
      </Part>
    )
  );
}

/** Entries of the same caller and the same address around the same time. Null if they are unavailable. */
export function EntryAround({
  context,
  current,
}: {
  context: Pick<AuditContext, "same_caller" | "same_address"> | null;
  current: string;
}) {
  const around = [
    { value: "caller", label: "Same caller", events: context?.same_caller ?? [] },
    { value: "address", label: "Same address", events: context?.same_address ?? [] },
  ].filter(({ events }) => events.some(({ id }) => id !== current));
  return (
    <Part title={AROUND}>
      {context === null ? (
        <p className="text-second">Nearby entries are unavailable right now.</p>
      ) : around.length === 0 ? (
        <p className="text-second">No other entry of the same caller or address within an hour.</p>
      ) : (
        <Tabs
          tabs={around.map(({ value, label, events }) => ({
            value,
            label,
            content: <EventsAround events={events} current={current} />,
          }))}
        />
      )}
    </Part>
  );
}

const AROUND = "Nearby entries";

/** The place of nearby entries until they are loaded. */
export function AroundSkeleton() {
  return (
    <Part title={AROUND}>
      <Waiting className="h-40" />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1.5 text-third text-xs">{title}</h2>
      {children}
    </section>
  );
}

function Waiting({ className }: { className: string }) {
  return (
    <div aria-busy="true">
      <Skeleton className={className} />
    </div>
  );
}

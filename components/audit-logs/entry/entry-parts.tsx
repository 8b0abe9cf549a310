import { Body } from "@/components/audit-logs/entry/body";
import { toCurl } from "@/components/audit-logs/entry/curl";
import { EventsAround } from "@/components/audit-logs/events/events-around";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";
import type { AuditContext } from "@/lib/audit-logs/read/context-contract";

/** The body, and a command that repeats the request. */
export function EntryRequest({ event, baseUrl }: { event: AuditEventWithBody; baseUrl: string }) {
  const curl = toCurl(event, baseUrl);
  return (
    <>
      {event.request && (
        <section>
          <h2 className="mb-1.5 text-third text-xs">Body</h2>
          <Body event={event} />
        </section>
      )}
      {curl && (
        <section>
          <h2 className="mb-1.5 text-third text-xs">cURL command (without the secret)</h2>
          <CodeBlock text={curl} what="the command" wrap />
        </section>
      )}
    </>
  );
}

/** Entries of the same caller and the same address around the same time. */
export function EntryAround({
  context: { same_caller, same_address },
  current,
}: {
  context: Pick<AuditContext, "same_caller" | "same_address">;
  current: string;
}) {
  const around = [
    { value: "caller", label: "Same caller", events: same_caller },
    { value: "address", label: "Same address", events: same_address },
  ].filter(({ events }) => events.some(({ id }) => id !== current));
  return (
    <section>
      <h2 className="mb-1.5 text-third text-xs">Nearby entries</h2>
      {around.length === 0 ? (
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
    </section>
  );
}

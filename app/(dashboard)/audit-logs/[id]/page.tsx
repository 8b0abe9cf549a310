import type { Metadata } from "next";
import { Body } from "@/components/audit-logs/body";
import { whatOf } from "@/components/audit-logs/cells";
import { curlOf } from "@/components/audit-logs/curl";
import { EventDetails } from "@/components/audit-logs/event-details";
import { EventNotes } from "@/components/audit-logs/event-notes";
import { EventsAround } from "@/components/audit-logs/events-around";
import { ExplorerViewProvider } from "@/components/audit-logs/explorer-view";
import { readAround } from "@/components/audit-logs/read-around";
import { rangeThatShows } from "@/components/audit-logs/view";
import { orNotFound } from "@/components/states/or-not-found";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { getAuditLog } from "@/lib/audit-logs/get";
import { requirePrincipal } from "@/lib/auth/session";
import { config } from "@/lib/config";

type Props = { params: Promise<{ id: string }> };

export const metadata: Metadata = { title: "Audit log entry" };

export default async function AuditLogEntryPage({ params }: Props) {
  const principal = await requirePrincipal();
  const event = await orNotFound(params, (id) => getAuditLog(principal, { id }));
  const around = await readAround(principal, event);
  const curl = curlOf(event, config().PUBLIC_URL);
  return (
    <ExplorerViewProvider from={{ range: rangeThatShows(Date.parse(event.occurred_at), Date.now()) }}>
      <PageHeader
        back={{ href: "/audit-logs", label: "Audit log" }}
        title={
          <span className="font-mono text-lg">
            <span className="font-normal text-second">{event.request?.method}</span>{" "}
            {event.request?.path ?? whatOf(event)}
          </span>
        }
      />
      <EventNotes principal={principal} event={event} />
      <div className="grid gap-x-8 gap-y-4 px-4 sm:px-5 lg:grid-cols-2">
        <div className="min-w-0">
          <EventDetails event={event} />
        </div>
        <div className="grid min-w-0 content-start gap-5">
          {event.request && (
            <section>
              <h2 className="mb-1.5 text-second text-xs">Body</h2>
              <Body event={event} />
            </section>
          )}
          {curl && (
            <section>
              <h2 className="mb-1.5 text-second text-xs">As cURL, without the secret</h2>
              <CodeBlock text={curl} what="the command" wrap />
            </section>
          )}
          <section>
            <h2 className="mb-1.5 text-second text-xs">Around it, by the same caller</h2>
            <EventsAround events={around} current={event.id} />
          </section>
        </div>
      </div>
    </ExplorerViewProvider>
  );
}

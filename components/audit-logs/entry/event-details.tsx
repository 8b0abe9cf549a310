import { EventChanges } from "@/components/audit-logs/changes/event-changes";
import { Redacted } from "@/components/audit-logs/entry/redacted";
import { SealedEntry } from "@/components/audit-logs/entry/sealed-entry";
import { statusColour } from "@/components/audit-logs/events/cells";
import { responseTime } from "@/components/audit-logs/events/response-time";
import { FilterValue } from "@/components/audit-logs/filters/filter-value";
import { Time } from "@/components/time/time";
import { formatUtc } from "@/components/time/time-format";
import { CopyButton } from "@/components/ui/copy-button";
import { cx } from "@/components/ui/cx";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import type { AuditEvent } from "@/lib/audit-logs/contract";
import type { Fact } from "@/lib/audit-logs/read/context-contract";
import { NO_AUTHENTICATION, NO_CLIENT } from "@/lib/audit-logs/redacted-caller";
import { plural } from "@/lib/text/counts";

const credentials = {
  api_key: "API key",
  session: "user session",
  anonymous: "none or unknown",
  system: "Sealwatch",
};

/** All fields of an event in the API's groups; values that other events can share are filters. */
export function EventDetails({ event, facts = null }: { event: AuditEvent; facts?: readonly Fact[] | null }) {
  const narrow = (name: string, value: string, words = value, className = "") => (
    <FilterValue name={name} value={value} words={words} className={cx("whitespace-normal! break-all", className)}>
      {words}
    </FilterValue>
  );
  const { response, authentication, client, request, resource, security, details } = event;
  const { api_key, user, type } = authentication ?? NO_AUTHENTICATION;
  const { ip_address, country, user_agent } = client ?? NO_CLIENT;
  return (
    <>
      <EventChanges event={event} />
      <DefinitionGroup>
        <Definition name="Status">
          {response.status_code !== null && (
            <span className={cx("font-mono text-sm", statusColour(response.status_code))}>
              {narrow("status", String(response.status_code))}{" "}
              <span className="font-normal">{response.error_code && narrow("error_code", response.error_code)}</span>
            </span>
          )}
        </Definition>
        {response.error_message && <Definition name="Message">{response.error_message}</Definition>}
        <Definition name="Time">
          <Time value={event.occurred_at} style="full" />{" "}
          <span className="whitespace-nowrap text-second">{formatUtc(Date.parse(event.occurred_at)).slice(11)}</span>
        </Definition>
        <Definition name="Duration">
          {response.response_time_ms !== null &&
            narrow(
              "min_response_time_ms",
              String(response.response_time_ms),
              `${responseTime(response.response_time_ms)} ms`,
            )}
        </Definition>
        <Definition name="Request ID" mono>
          <span className="sm:flex sm:items-center">
            <span title={event.id} className="sm:truncate">
              {event.id}
            </span>
            <CopyButton text={event.id} what="the request ID" className="-my-1 ml-1 h-6 align-middle" />
          </span>
        </Definition>
        {typeof details?.trace_id === "string" && (
          <Definition name="Trace ID" mono>
            {narrow("trace_id", details.trace_id)}
          </Definition>
        )}
      </DefinitionGroup>
      <DefinitionGroup title="Authentication">
        <Definition name="Credential">
          {type === null ? <Redacted part="caller" of={event} /> : narrow("auth_type", type, credentials[type])}
        </Definition>
        {api_key && (
          <Definition name="Key">
            {narrow("api_key_id", api_key.id, api_key.name)}{" "}
            <span className="font-mono text-second text-sm">{api_key.hint}</span>
          </Definition>
        )}
        {user && (
          <Definition name="User">
            {narrow("user_id", user.id, user.name)} <span className="text-second">{user.email}</span>
          </Definition>
        )}
        {security.rate_limit_remaining !== null && (
          <Definition name="Requests left">{security.rate_limit_remaining} in this minute</Definition>
        )}
      </DefinitionGroup>
      {client && (
        <DefinitionGroup title="Client">
          <Definition name="Address" mono>
            {ip_address && (
              <>
                {narrow("ip", ip_address)} {country && narrow("country", country, country, "text-second")}
              </>
            )}
          </Definition>
          <Definition name="User agent" mono>
            {user_agent && narrow("q", user_agent.slice(0, 200), user_agent)}
          </Definition>
        </DefinitionGroup>
      )}
      {request && (
        <DefinitionGroup title="Request">
          <Definition name="Method" mono>
            {narrow("method", request.method)}
          </Definition>
          <Definition name="Path" mono>
            {narrow("path", request.path)}
          </Definition>
          <Definition name="Query" mono>
            {request.query}
          </Definition>
          <Definition name="Route" mono>
            {request.route && narrow("route", request.route)}
          </Definition>
          <Definition name="Body">
            {event.seal?.redaction?.body && (
              <>
                <Redacted part="body" of={event} /> ·{" "}
              </>
            )}
            {request.body_size ? plural(request.body_size, "byte") : "none"}
            {request.content_type && <span className="font-mono text-second text-sm"> {request.content_type}</span>}
          </Definition>
        </DefinitionGroup>
      )}
      <DefinitionGroup title="Action">
        <Definition name="Action" mono>
          {resource.action && narrow("action", resource.action)}
        </Definition>
        <Definition name="Resource" mono>
          {(resource.id ?? resource.type) !== null && (
            <>
              {resource.id && narrow("resource_id", resource.id)}{" "}
              {resource.type && narrow("resource_type", resource.type, resource.type, "text-second")}
            </>
          )}
        </Definition>
      </DefinitionGroup>
      <SealedEntry event={event} hold={(facts ?? []).find((fact) => fact.kind === "on_hold")?.name ?? null} />
    </>
  );
}

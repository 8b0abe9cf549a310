import Link from "next/link";
import { statusColour } from "@/components/audit-logs/cells";
import { rangeThatShows } from "@/components/audit-logs/view";
import { CopyButton } from "@/components/ui/copy-button";
import { cx } from "@/components/ui/cx";
import { Definition, DefinitionGroup } from "@/components/ui/definition-list";
import { Time } from "@/components/ui/time";
import { formatUtc } from "@/components/ui/time-format";
import type { AuditEventWithBody } from "@/lib/audit-logs/contract";

const credentials = {
  api_key: "API key",
  session: "a person’s session",
  anonymous: "none that is known",
  system: "Sealwatch itself",
};

/** Every group of an event, as the API tells it; what it shares with others leads to them. */
export function EventDetails({ event, now }: { event: AuditEventWithBody; now: number }) {
  const range = rangeThatShows(Date.parse(event.occurred_at), now);
  const narrow = (name: string, value: string, words = value) => (
    <Link
      prefetch={false}
      href={`/audit-logs?${new URLSearchParams({ [name]: value, range })}`}
      title="Show all with the same"
      className="decoration-third underline-offset-2 hover:underline"
    >
      {words}
    </Link>
  );
  const { response, authentication, client, request, resource, security } = event;
  const { api_key, user } = authentication;
  return (
    <>
      <DefinitionGroup>
        <Definition name="Status">
          {response.status_code !== null && (
            <span className={cx("font-mono text-sm", statusColour(response.status_code))}>
              {response.status_code} <span className="font-normal">{response.error_code}</span>
            </span>
          )}
        </Definition>
        {response.error_message && <Definition name="Message">{response.error_message}</Definition>}
        <Definition name="When">
          <Time value={event.occurred_at} style="full" />{" "}
          <span className="text-second">· {formatUtc(Date.parse(event.occurred_at)).slice(11)}</span>
        </Definition>
        <Definition name="Took">
          {response.response_time_ms !== null && `${response.response_time_ms.toFixed(1)} ms`}
        </Definition>
        <Definition name="Request id" mono>
          {event.id}
          <CopyButton text={event.id} what="the request id" className="-my-1 ml-1 h-6 align-middle" />
        </Definition>
      </DefinitionGroup>
      <DefinitionGroup title="Authentication">
        <Definition name="Credential">{credentials[authentication.type]}</Definition>
        {api_key && (
          <Definition name="Key">
            {narrow("api_key_id", api_key.id, api_key.name)}{" "}
            <span className="font-mono text-second text-sm">{api_key.hint}</span>
          </Definition>
        )}
        {user && (
          <Definition name="Person">
            {narrow("user_id", user.id, user.name)} <span className="text-second">{user.email}</span>
          </Definition>
        )}
        {security.rate_limit_remaining !== null && (
          <Definition name="Requests left">{security.rate_limit_remaining} in the minute</Definition>
        )}
      </DefinitionGroup>
      <DefinitionGroup title="Client">
        <Definition name="Address" mono>
          {client.ip_address && (
            <>
              {narrow("ip", client.ip_address)} <span className="text-second">{client.country}</span>
            </>
          )}
        </Definition>
        <Definition name="User agent" mono>
          {client.user_agent}
        </Definition>
      </DefinitionGroup>
      {request && (
        <DefinitionGroup title="Request">
          <Definition name="Query" mono>
            {request.query}
          </Definition>
          <Definition name="Route" mono>
            {request.route && narrow("route", request.route)}
          </Definition>
          <Definition name="Body">
            {request.body_size ? `${request.body_size.toLocaleString("en-GB")} bytes` : "none"}
            {request.content_type && <span className="font-mono text-second text-sm"> {request.content_type}</span>}
          </Definition>
        </DefinitionGroup>
      )}
      <DefinitionGroup title="What it did">
        <Definition name="Action" mono>
          {resource.action && narrow("action", resource.action)}
        </Definition>
        <Definition name="Resource" mono>
          {resource.id && (
            <>
              {narrow("resource_id", resource.id)} <span className="text-second">{resource.type}</span>
            </>
          )}
        </Definition>
      </DefinitionGroup>
    </>
  );
}

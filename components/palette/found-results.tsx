"use client";

import { Command } from "cmdk";
import type { KeyAction } from "@/components/api-keys/lazy-key-dialog";
import { activityPath } from "@/components/organizations/activity-path";
import type { DestinationButton } from "@/components/palette/destination-buttons";
import { Item } from "@/components/palette/item";
import { siteHosts } from "@/components/search/site-hosts";
import { type ResultType, resultTypes, type SearchResult } from "@/lib/search/contract";

/** The heading of each type of result, and the page of one. */
const pages: Record<ResultType, { heading: string; href: (id: string, name: string) => string }> = {
  audit_log: { heading: "Audit log", href: (id) => `/audit-logs/${id}` },
  api_key: { heading: "API keys", href: (id) => `/api-keys/${id}` },
  certificate_endpoint: { heading: "Endpoints", href: (id) => `/certificates/endpoints/${id}` },
  monitor: { heading: "Monitors", href: (id) => `/uptime/${id}` },
  domain: { heading: "Domains", href: (id) => `/subdomains/domains/${id}` },
  // The page shows names to review unless another state is chosen.
  subdomain: { heading: "Subdomains", href: (_id, name) => `/subdomains?state=all&q=${encodeURIComponent(name)}` },
  certificate: { heading: "Certificates", href: (id) => `/certificates/${id}` },
  alert_rule: { heading: "Alert rules", href: (id) => `/alert-rules/${id}` },
  notification_channel: { heading: "Channels", href: (id) => `/notification-channels/${id}` },
  destination: { heading: "Destinations", href: (id) => `/destinations/${id}` },
  status_page: { heading: "Status pages", href: (id) => `/status-pages/${id}` },
  certificate_trust_store: { heading: "Trust stores", href: () => "/certificates/trust-stores" },
  certificate_calendar: { heading: "Calendars", href: () => "/certificates/calendars" },
  certificate_agent: { heading: "Agents", href: () => "/certificates/agents" },
  maintenance_window: { heading: "Maintenance windows", href: () => "/uptime/maintenance" },
  member: { heading: "Members", href: () => "/members" },
};

/** What the server found, by type; `actions` are offered for each key that is not revoked, `buttons` for each destination that has them. */
export function FoundResults({
  results,
  actions,
  buttons,
  onOpen,
  onAction,
  onPress,
}: {
  results: readonly SearchResult[];
  actions: readonly { action: KeyAction; verb: string }[];
  buttons: readonly DestinationButton[];
  onOpen: (href: string) => void;
  onAction: (keyId: string, action: KeyAction) => void;
  /** Opens a page and presses its button. */
  onPress: (href: string, label: string) => void;
}) {
  const types = resultTypes.map((type) => {
    const found = results.filter((result) => result.type === type);
    if (found.length === 0) return null;
    const { heading, href } = pages[type];
    return (
      <Command.Group key={type} heading={heading}>
        {type === "api_key" &&
          actions.flatMap(({ action, verb }) =>
            found
              .filter(({ status }) => status !== "revoked")
              .map(({ id, name }) => (
                <Item
                  key={`${action} ${id}`}
                  id={`${action} ${id}`}
                  label={`${verb} ${name}…`}
                  always
                  onSelect={() => onAction(id, action)}
                />
              )),
          )}
        {type === "destination" &&
          buttons.flatMap(({ verb, label, isOffered }) =>
            found
              .filter(({ status }) => isOffered(status))
              .map(({ id, name }) => (
                <Item
                  key={`${verb} ${id}`}
                  id={`${verb} ${id}`}
                  label={label.endsWith("…") ? `${verb} ${name}…` : `${verb} ${name}`}
                  always
                  onSelect={() => onPress(href(id, name), label)}
                />
              )),
          )}
        {found.map(({ id, name, detail, status }) => (
          <Item
            key={id}
            id={`${type} ${id}`}
            label={name}
            always
            note={[detail, status].filter(Boolean).join(" · ")}
            onSelect={() => onOpen(href(id, name))}
          />
        ))}
        {type === "member" &&
          found.map(({ id, name }) => (
            <Item
              key={`activity ${id}`}
              id={`activity ${id}`}
              label={`Activity of ${name}`}
              always
              note="audit log"
              onSelect={() => onOpen(activityPath(id))}
            />
          ))}
      </Command.Group>
    );
  });
  return (
    <>
      {types}
      <Sites results={results} onOpen={onOpen} />
    </>
  );
}

/** The pages of the hosts that were found. */
function Sites({ results, onOpen }: { results: readonly SearchResult[]; onOpen: (href: string) => void }) {
  const hosts = siteHosts(results);
  if (hosts.length === 0) return null;
  return (
    <Command.Group heading="Sites">
      {hosts.map((host) => (
        <Item
          key={host}
          id={`site ${host}`}
          label={host}
          always
          note="everything about this host"
          onSelect={() => onOpen(`/sites/${encodeURIComponent(host)}`)}
        />
      ))}
    </Command.Group>
  );
}

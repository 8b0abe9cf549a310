import { ChangeSentence } from "@/components/audit-logs/changes/change-sentence";
import { readChanges, resourceChanges } from "@/components/audit-logs/changes/read-changes";
import { EXPLORER } from "@/components/audit-logs/views/view";
import { severityTone } from "@/components/certificates/findings/finding-tones";
import { shortName } from "@/components/certificates/inventory/names";
import { type Axis, Lane } from "@/components/sites/lane";
import { issuerWords } from "@/components/subdomains/words";
import { reasonWords } from "@/components/uptime/words";
import type { Principal } from "@/lib/http/principal";
import type { Site } from "@/lib/sites/find-site";
import { MAX_EVENTS, siteAlerts, siteCertificates, siteIncidents, siteIssuances } from "@/lib/sites/site-events";

interface Props {
  principal: Principal;
  site: Site;
  axis: Axis;
}

const at = (time: string) => Date.parse(time);

/** When which certificate was served. */
export async function CertificatesLane({ principal, site, axis }: Props) {
  const seen = await siteCertificates(principal, site, axis.since);
  const marks = seen.map(({ certificate, address, first_seen_at, last_seen_at, is_current, changes }) => ({
    id: `${certificate.id} ${address} ${first_seen_at}`,
    from: at(first_seen_at),
    to: is_current ? axis.until : at(last_seen_at),
    tone: is_current ? ("seal" as const) : ("neutral" as const),
    words: `${changes === null ? "First seen" : "New certificate"}: ${shortName(certificate.subject) || certificate.sans[0] || "unnamed"}, issued by ${shortName(certificate.issuer)}${address === null ? "" : `, at ${address}`}`,
    href: `/certificates/${certificate.id}`,
  }));
  return <Lane title="Certificates served" marks={marks} axis={axis} />;
}

/** When monitors were down. */
export async function IncidentsLane({ principal, site, axis }: Props) {
  const incidents = await siteIncidents(principal, site, axis.since);
  const marks = incidents.map((incident) => ({
    id: incident.id,
    from: at(incident.started_at),
    to: incident.ended_at === null ? axis.until : at(incident.ended_at),
    tone: "bad" as const,
    words: `${incident.monitor.name}: ${reasonWords(incident)}${incident.ended_at === null ? ", ongoing" : ""}`,
    href: `/uptime/incidents/${incident.id}`,
  }));
  return <Lane title="Incidents" marks={marks} axis={axis} />;
}

/** When alerts were unresolved. */
export async function AlertsLane({ principal, site, axis }: Props) {
  const alerts = await siteAlerts(principal, site, axis.since);
  const marks = alerts.map(({ id, opened_at, resolved_at, severity, rule, detail }) => ({
    id,
    from: at(opened_at),
    to: resolved_at === null ? axis.until : at(resolved_at),
    tone: resolved_at === null ? severityTone[severity] : ("neutral" as const),
    words: `${rule.name}: ${detail}${resolved_at === null ? ", unresolved" : ""}`,
    href: `/alerts/${id}`,
  }));
  return <Lane title="Alerts" marks={marks} axis={axis} />;
}

/** When certificates were issued, according to certificate transparency logs. */
export async function IssuancesLane({ principal, site, axis }: Props) {
  const issuances = await siteIssuances(principal, site.host, axis.since);
  const marks = issuances.map(({ id, not_before, issuer, names, finding, domain }) => ({
    id,
    from: at(not_before),
    to: at(not_before),
    tone: finding === null ? ("seal" as const) : ("warn" as const),
    words: `Issued by ${issuerWords(issuer)} for ${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}${finding === null ? "" : ", an unexpected issuer"}`,
    href: `/subdomains/issuances?domain_id=${domain.id}`,
  }));
  return <Lane title="Certificates issued" marks={marks} axis={axis} />;
}

/** When somebody changed the endpoints and monitors of the site. */
export async function ChangesLane({ principal, site, axis }: Props) {
  const ids = [...site.endpoints, ...site.monitors].map(({ id }) => id);
  const { items } = await readChanges(principal, resourceChanges(["certificate_endpoint", "monitor"], ids), MAX_EVENTS);
  const marks = items.map((event) => ({
    id: event.id,
    from: at(event.occurred_at),
    to: at(event.occurred_at),
    tone: "neutral" as const,
    words: event.details?.changes ? <ChangeSentence event={event} /> : event.resource.action,
    href: `${EXPLORER}/${event.id}`,
  }));
  return <Lane title="Changes" marks={marks} axis={axis} />;
}

import type { Subject } from "@/lib/alerts/alert-state";

type About = { subject: Pick<Subject, "type" | "id">; causes: readonly string[] };

/** The filters that find the flagged entries behind an alert about a caller; null if it is about something else. */
export function flaggedEntries({ subject, causes }: About): URLSearchParams | null {
  const query = new URLSearchParams({ range: "30d", flag: causes.join(",") });
  switch (subject.type) {
    case "api_key":
      query.set("api_key_id", subject.id);
      return query;
    case "user":
      query.set("user_id", subject.id);
      return query;
    case "organization":
      return query;
    default:
      return null;
  }
}

/** The page of an alert's subject; for anonymous callers, their entries in the audit log. */
export function subjectPath(about: About): string {
  const { subject, causes } = about;
  switch (subject.type) {
    case "endpoint":
      return `/certificates/endpoints/${subject.id}`;
    case "certificate":
      return `/certificates/${subject.id}`;
    case "monitor":
      return `/uptime/${subject.id}`;
    case "issuance":
      return causes.includes("issuance_unauthorized")
        ? "/subdomains/issuances?accounted=false&current=true"
        : "/subdomains/issuances?unexpected=true";
    case "api_key":
      return `/api-keys/${subject.id}`;
    case "audit_log":
      return causes.includes("event_count") ? "/audit-logs" : "/integrity";
    case "destination":
      return `/destinations/${subject.id}`;
    case "user":
    case "organization":
      return `/audit-logs?${flaggedEntries(about) ?? ""}`;
  }
}

/** Upper bounds of the buckets of response times and statements, in seconds. */
const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Upper bounds of the buckets of background work, in seconds. */
const LONG = [0.1, 0.5, 1, 5, 15, 60, 300] as const;

type Described = {
  help: string;
  /** Each has few possible values, none of which depends on organizations, hosts or clients. */
  labels: readonly string[];
} & ({ type: "counter" | "gauge" } | { type: "histogram"; buckets: readonly number[] });

/**
 * Every metric of Sealwatch's own, named after Prometheus' conventions (https://prometheus.io/docs/practices/naming/). The documentation
 * is generated from it. All of them get the label `process` where the processes of a start are merged.
 */
export const catalog = {
  sealwatch_build_info: {
    type: "gauge",
    help: "Always 1; its labels have the versions of Sealwatch and of Node.js.",
    labels: ["version", "node"],
  },
  sealwatch_process_up: {
    type: "gauge",
    help: "Whether the process answered this scrape in time: 1, otherwise 0.",
    labels: ["process"],
  },
  sealwatch_http_requests_total: {
    type: "counter",
    help: "Responses begun, by rate-limit group or kind of page and by class of status; aborted if the client left before the response.",
    labels: ["group", "method", "status"],
  },
  sealwatch_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from a request's headers to its response's headers, which for the API includes storing the audit event.",
    labels: ["group"],
    buckets: SHORT,
  },
  sealwatch_http_rate_limited_requests_total: {
    type: "counter",
    help: "Responses with status 429.",
    labels: ["group"],
  },
  sealwatch_http_unparsable_requests_total: {
    type: "counter",
    help: "Connections whose bytes were not an HTTP request.",
    labels: [],
  },
  sealwatch_http_requests_in_progress: {
    type: "gauge",
    help: "Requests in progress, including event streams.",
    labels: [],
  },
  sealwatch_http_connections: { type: "gauge", help: "Open connections of clients.", labels: [] },
  sealwatch_audit_events_total: {
    type: "counter",
    help: "Audit events stored durably, by where: the audit database, or the outbox in the monitoring database.",
    labels: ["store"],
  },
  sealwatch_audit_events_refused_total: {
    type: "counter",
    help: "Attempts to store an audit event that neither database accepted. A request without a change is then answered with 503; the event of a change is retried.",
    labels: [],
  },
  sealwatch_audit_events_waiting: {
    type: "gauge",
    help: "Audit events that wait in memory for the next batch.",
    labels: [],
  },
  sealwatch_audit_batch_events: {
    type: "histogram",
    help: "Audit events per batch.",
    labels: [],
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
  },
  sealwatch_audit_batch_duration_seconds: {
    type: "histogram",
    help: "Time to store a batch of audit events, in whichever database accepted it.",
    labels: [],
    buckets: SHORT,
  },
  sealwatch_outbox_events: {
    type: "gauge",
    help: "Complete audit events in the outbox that wait for the audit database, without refused ones.",
    labels: [],
  },
  sealwatch_outbox_refused_events: {
    type: "gauge",
    help: "Audit events in the outbox that the audit database refused; they are retried every 10 minutes.",
    labels: [],
  },
  sealwatch_outbox_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest event of sealwatch_outbox_events; 0 if there is none.",
    labels: [],
  },
  sealwatch_seal_waiting_events: {
    type: "gauge",
    help: "Stored audit events that are not sealed yet.",
    labels: [],
  },
  sealwatch_seal_oldest_age_seconds: {
    type: "gauge",
    help: "Time for which the oldest of these events has waited to be sealed; 0 if there is none.",
    labels: [],
  },
  sealwatch_seal_unsigned_age_seconds: {
    type: "gauge",
    help: "Time since the oldest entry was sealed that is not signed yet; 0 if there is none. A log whose signing is refused does not count, unless that of the whole installation is.",
    labels: [],
  },
  sealwatch_seal_faulty_logs: {
    type: "gauge",
    help: "Sealed audit logs whose daily check found an entry that does not match.",
    labels: [],
  },
  sealwatch_destinations: {
    type: "gauge",
    help: "Destinations of the audit log, by state: unused, working, failing, or paused by a person or by Sealwatch.",
    labels: ["state"],
  },
  sealwatch_destination_lag_seconds: {
    type: "gauge",
    help: "Time since the oldest entry was sealed that some destination was not sent; 0 if there is none. Destinations that wait, fail, or were paused by Sealwatch count, those that a person paused do not.",
    labels: [],
  },
  sealwatch_tasks_due: { type: "gauge", help: "Tasks that are due and not leased, by kind.", labels: ["kind"] },
  sealwatch_tasks_oldest_due_age_seconds: {
    type: "gauge",
    help: "Time for which the oldest of these tasks has been due; 0 if there is none.",
    labels: ["kind"],
  },
  sealwatch_tasks_in_flight: { type: "gauge", help: "Tasks that this worker performs now.", labels: ["kind"] },
  sealwatch_tasks_total: {
    type: "counter",
    help: "Tasks performed, by outcome: done (whatever the result of a check), or failed because of an error of ours.",
    labels: ["kind", "outcome"],
  },
  sealwatch_task_duration_seconds: {
    type: "histogram",
    help: "Duration of a task, including its wait for a busy host. Evaluations of alert rules that change nothing are made together, without one.",
    labels: ["kind"],
    buckets: LONG,
  },
  sealwatch_deliveries_total: {
    type: "counter",
    help: "Attempts to send a notification, by type of channel and outcome: sent, retried later, or failed for good.",
    labels: ["channel", "outcome"],
  },
  sealwatch_job_runs_total: {
    type: "counter",
    help: "Runs of a background job, by outcome: done or failed.",
    labels: ["job_name", "outcome"],
  },
  sealwatch_job_duration_seconds: {
    type: "histogram",
    help: "Duration of a run of a background job.",
    labels: ["job_name"],
    buckets: LONG,
  },
  sealwatch_job_last_success_timestamp_seconds: {
    type: "gauge",
    help: "Unix time at which a background job last ended successfully in this worker, or recorded results while it went on; the worker's start until then.",
    labels: ["job_name"],
  },
  sealwatch_job_interval_seconds: {
    type: "gauge",
    help: "Time between the end of a run of a background job and the start of the next.",
    labels: ["job_name"],
  },
  sealwatch_database_connections: {
    type: "gauge",
    help: "Pooled connections to a database, by purpose and state: busy or idle.",
    labels: ["database", "purpose", "state"],
  },
  sealwatch_database_connections_max: {
    type: "gauge",
    help: "Size of a pool of connections.",
    labels: ["database", "purpose"],
  },
  sealwatch_database_waiting_requests: {
    type: "gauge",
    help: "Requests for a connection that wait because every connection of the pool is busy.",
    labels: ["database", "purpose"],
  },
  sealwatch_dependency_up: {
    type: "gauge",
    help: "Whether the last use of a dependency by this process succeeded: 1, otherwise 0.",
    labels: ["dependency"],
  },
  sealwatch_rate_limit_fallbacks_total: {
    type: "counter",
    help: "Requests counted in the process's memory because the shared store of rate limits was unavailable.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, Described>>;

type Catalog = typeof catalog;
export type MetricName = keyof Catalog;
/** The names of the metrics of a type. */
export type NameOf<Type extends Described["type"]> = {
  [Name in MetricName]: Catalog[Name]["type"] extends Type ? Name : never;
}[MetricName];
/** A value for each label of a metric. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<Catalog[Name]["labels"][number], string>>;

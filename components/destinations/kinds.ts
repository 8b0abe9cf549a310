import type { DestinationType } from "@/lib/destinations/shapes";

/** What people read about a kind of destination. */
interface KindWords {
  /** What it is for, in a line. */
  summary: string;
  /** What is needed to set it up. */
  needs: string;
  /** Secrets that belong behind a setting; others follow all settings. */
  behind?: Readonly<Record<string, string>>;
  /** Labels of fields, where the name of the field does not say it. */
  labels?: Readonly<Record<string, string>>;
  /** Labels of the values of a choice, where the values are not self-explanatory. */
  choices?: Readonly<Record<string, string>>;
  /** Hints of fields, where the contract's description is about the API. */
  hints?: Readonly<Record<string, string>>;
  placeholders?: Readonly<Record<string, string>>;
}

/** Every kind, as the gallery and the form describe it. Its fields come from the contract. */
export const kindWords: Readonly<Record<DestinationType, KindWords>> = {
  https: {
    summary: "Gzipped NDJSON to a collector of your own, signed as webhooks are.",
    needs: "URL; optionally a value for the header Authorization",
    placeholders: { url: "https://collector.example.com/audit" },
    hints: { authorization: "The header's whole value, such as Bearer …" },
  },
  s3: {
    summary: "Objects in Amazon S3, MinIO, R2 and others, each of which can be verified alone or with its folder.",
    needs: "Bucket, and an access key that may put objects into it",
    behind: { secret_access_key: "access_key_id" },
    labels: {
      access_key_id: "Access key id",
      secret_access_key: "Secret access key",
      interval_seconds: "Seconds per object",
      lock_mode: "Object lock",
      lock_days: "Days of the lock",
    },
    choices: {
      virtual_host: "In the host name",
      path: "In the path",
      governance: "Governance: some people may end it early",
      compliance: "Compliance: nobody may end it early",
    },
    hints: {
      endpoint: "Empty: Amazon S3.",
      prefix: "Prefix of object names. Default: sealwatch/organization/destination.",
      addressing: "Where the bucket's name is in URLs. Many servers of your own need the path.",
      lock_mode: "The bucket must have object lock enabled.",
    },
    placeholders: { endpoint: "https://minio.example.com", bucket: "audit-log" },
  },
  splunk: {
    summary: "Splunk Enterprise or Splunk Cloud, with acknowledgement where Splunk offers it.",
    needs: "Address and token of an HTTP Event Collector; optionally an index",
    labels: { sourcetype: "Source type" },
    hints: {
      index: "Empty: the token's default.",
      sourcetype: "Empty: sealwatch:audit, sealwatch:ocsf, sealwatch:ecs or cef, by the format.",
    },
    placeholders: { url: "https://splunk.example.com:8088" },
  },
  elastic: {
    summary: "A data stream or an index, without duplicates in the current backing index.",
    needs: "Address of the cluster, and an API key or a user name and password",
    labels: { index: "Data stream or index", username: "User name" },
    hints: { index: "Its name.", password: "Of the user." },
    placeholders: { url: "https://elastic.example.com:9200" },
  },
  datadog: {
    summary: "Datadog Logs, directly or through a forwarder with the same API.",
    needs: "Site and API key",
    labels: { intake_url: "Intake URL" },
    hints: { intake_url: "Of a forwarder with the same API, instead of the site's." },
    placeholders: { tags: "env:production,team:security" },
  },
  otlp: {
    summary: "Any OpenTelemetry receiver of logs over HTTP, such as the Collector.",
    needs: "URL for logs; optionally a header with a secret",
    labels: { header_value: "Value of the header" },
    placeholders: { url: "https://collector.example.com:4318/v1/logs" },
  },
  syslog: {
    summary: "RFC 5424 over TLS, for collectors and SIEMs that take nothing else. Nothing is acknowledged.",
    needs: "Host and port; certificates in PEM where the receiver requires them",
    labels: { ca_certificate: "CA certificates", client_key: "Key of the client certificate" },
    hints: {
      ca_certificate: "In PEM, to trust instead of the public roots.",
      client_certificate: "In PEM, for receivers that require one, with its key.",
      client_key: "In PEM.",
    },
    placeholders: { host: "syslog.example.com" },
  },
};

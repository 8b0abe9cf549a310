import type { z } from "zod";
import type { Batch } from "@/lib/destinations/batches/batch";
import type { Format } from "@/lib/destinations/formats/format";
import type { FormatName } from "@/lib/destinations/formats/names";
import type { Guard } from "@/lib/network/guarded-lookup";

/** What is known of a kind of destination without its code: `kinds/<type>/shape.ts`, safe for the browser. */
export interface Shape<Settings extends z.ZodType = z.ZodType, Secrets extends z.ZodType = z.ZodType> {
  type: string;
  /** For people: `Splunk HTTP Event Collector`. */
  label: string;
  /** What is shown and recorded in the log. A strict object. */
  settings: Settings;
  /** What is encrypted and never returned. A strict object; a field that is null is not set. */
  secrets: Secrets;
  /** The formats that fit, the default first. */
  formats: readonly [FormatName, ...FormatName[]];
  /** Whether `Batch.proof` is needed. */
  needsProof?: boolean;
  /** Whether requests are signed as webhooks are, with a secret that is made when the destination is created. */
  isSigned?: boolean;
  /** Milliseconds in which events are collected for one batch; otherwise they are sent at once. */
  intervalMs?(settings: z.output<Settings>): number;
  /** What no two destinations of an organization may have both, because they would overwrite each other; null if that cannot happen. */
  exclusiveTarget?(settings: z.output<Settings>): string | null;
  /** Settings whose URL, or whose host and port, decides where secrets go: another origin requires the secrets again. */
  addresses: readonly string[];
  /** Where events go, in a line without secrets: `https://siem.example.com/audit`. */
  describe(settings: z.output<Settings>): string;
}

/** The destination of a batch. */
export interface Target<Settings = unknown, Secrets = unknown> {
  id: string;
  settings: Settings;
  secrets: Secrets;
  /** Newest first; none unless the kind `isSigned`. */
  signingSecrets: readonly string[];
}

/** A request over HTTP; `headers` in lower case. */
export interface SinkRequest {
  method: "GET" | "POST" | "PUT";
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

/** Its answer: at most 1 MiB; a longer one is a failure. */
export interface SinkAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}

/** Details of a non-HTTP exchange, shown by a test. The caller masks secrets before showing them. */
export interface Exchange {
  /** The request: its head, and the first bytes of what was sent. */
  request: { head: string; body: string };
  /** The answer; null if there was none. */
  answer: { head: string; body: string } | null;
}

/** What sending a batch needs. */
export interface SendContext {
  /** Aborted when time is up or the process stops. */
  signal: AbortSignal;
  /** Unix milliseconds. */
  now: number;
  format: Format;
  /** Whether this is a test: nothing counts on what it leaves, so that storage puts it where no reader looks for events. */
  isTest: boolean;
  /** The networks that may be reached, for kinds that open connections themselves (`guardedLookup`, `refuseForbiddenAddress`). */
  guard: Guard;
  /**
   * One request to an allowed address, with a deadline, without redirects, and recorded for tests. Rejects with SendFailure if there is
   * no answer; every status is an answer, see `assertAccepted`.
   */
  fetch(request: SinkRequest): Promise<SinkAnswer>;
  /** For kinds that do not use `fetch`. */
  record(exchange: Exchange): void;
}

/** Sends a batch: resolves once the receiver has all of it, otherwise rejects with SendFailure. Batches without events are sent too if the kind can say what was omitted. */
export type Send<Settings = unknown, Secrets = unknown> = (
  batch: Batch,
  target: Target<Settings, Secrets>,
  context: SendContext,
) => Promise<void>;

/** The values of a shape. */
export type SettingsOf<S extends Shape> = z.output<S["settings"]>;
export type SecretsOf<S extends Shape> = z.output<S["secrets"]>;
/** The sending half of a kind: `kinds/<type>/send.ts`. */
export type SendOf<S extends Shape> = Send<SettingsOf<S>, SecretsOf<S>>;

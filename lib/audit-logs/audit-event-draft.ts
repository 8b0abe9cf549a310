import { AsyncLocalStorage } from "node:async_hooks";
import type { Flag } from "@/lib/audit-logs/flags";
import type { Transaction } from "@/lib/db/app";
import type { Action } from "@/lib/http/actions";
import type { ApiError } from "@/lib/http/errors";
import { idTime, NOBODY, newId } from "@/lib/ids";
import { processSingleton } from "@/lib/process-singleton";

/** An event as stored, without derived columns (time, tokens, whether it is a security event). */
export interface AuditRow {
  organization_id: string;
  /** The retention class of the event, set when its organization becomes known. */
  retention_days: number;
  id: string;
  method: string | null;
  path: string | null;
  route: string | null;
  query: string | null;
  body_size: number | null;
  content_type: string | null;
  /** Empty if the caller was redacted. */
  auth_type: "api_key" | "session" | "anonymous" | "system" | "";
  api_key_id: string | null;
  api_key_name: string | null;
  api_key_hint: string | null;
  user_id: string | null;
  user_name: string | null;
  user_email: string | null;
  status_code: number | null;
  response_time_us: number | null;
  error_code: string | null;
  error_message: string | null;
  ip_address: string | null;
  user_agent: string | null;
  country: string | null;
  rate_limit_remaining: number | null;
  flags: Flag[];
  resource_type: string | null;
  resource_id: string | null;
  action: Action | null;
  details: Record<string, unknown> | null;
}

/** A step that runs in the transaction of every change under an event. An error rolls the change back. */
export interface ChangeStep {
  /** Runs before any reads or writes. */
  first?(tx: Transaction): Promise<void>;
  /** Runs after the change. */
  last?(tx: Transaction): Promise<void>;
  /** Reads after the change, by one statement that it sends at once: the commit follows without a wait. */
  read?(tx: Transaction): Promise<void>;
}

/** Maximum characters of an error message in its event. Some messages quote the input, which may be long. */
const MAX_MESSAGE_LENGTH = 2_000;
/** Retention of events without an organization, in days. */
const NOBODY_RETENTION_DAYS = 30;

/** A draft of an event: created before anything can fail, filled in as facts become known, and stored once. */
export class AuditEventDraft {
  readonly row: AuditRow;
  body: Buffer | null = null;
  /** A change was committed with an outbox row of this event; storing the event completes the row. */
  inOutbox = false;
  /** The answer to a commit was lost, so only the outbox can say whether the change stands: the event's organization in its transaction. */
  unansweredIn: string | null = null;
  readonly changeSteps: ChangeStep[] = [];
  /** The command or job had nothing to do and leaves no event. Requests always leave an event. */
  discarded = false;
  private readonly started = performance.now();

  constructor(known: Partial<AuditRow> = {}) {
    this.row = {
      organization_id: NOBODY,
      retention_days: NOBODY_RETENTION_DAYS,
      id: newId(),
      method: null,
      path: null,
      route: null,
      query: null,
      body_size: null,
      content_type: null,
      auth_type: "anonymous",
      api_key_id: null,
      api_key_name: null,
      api_key_hint: null,
      user_id: null,
      user_name: null,
      user_email: null,
      status_code: null,
      response_time_us: null,
      error_code: null,
      error_message: null,
      ip_address: null,
      user_agent: null,
      country: null,
      rate_limit_remaining: null,
      flags: [],
      resource_type: null,
      resource_id: null,
      action: null,
      details: null,
      ...known,
    };
  }

  get id(): string {
    return this.row.id;
  }

  get occurredAt(): Date {
    return new Date(idTime(this.row.id));
  }

  flag(flag: Flag): void {
    if (!this.row.flags.includes(flag)) this.row.flags.push(flag);
  }

  resource(type: string, id: string | null): void {
    this.row.resource_type = type;
    this.row.resource_id = id;
  }

  /**
   * Takes over what the transaction of a change recorded, after the request was answered as if it had failed. How the request ended
   * stays.
   */
  adopt(committed: AuditRow): void {
    const { status_code, response_time_us, error_code, error_message, rate_limit_remaining, flags, details } = this.row;
    Object.assign(this.row, committed, {
      ...{ status_code, response_time_us, error_code, error_message, rate_limit_remaining },
      flags: [...new Set([...committed.flags, ...flags])],
      details: { ...committed.details, ...details, change_committed: true },
    });
  }

  /** Sets the error that ended the work. */
  fail({ code, message }: ApiError): void {
    this.row.error_code = code;
    this.row.error_message = message.slice(0, MAX_MESSAGE_LENGTH);
  }

  /** Sets the status and the response time so far. */
  finish(status: number | null): void {
    this.row.status_code = status;
    this.row.response_time_us = Math.round((performance.now() - this.started) * 1000);
  }
}

/** The draft of the running code. */
export const draftStorage = processSingleton("audit-logs.recordings", () => new AsyncLocalStorage<AuditEventDraft>());

/** The event of the current request, command or job. Throws if there is none, so that no change happens without an event. */
export function auditEvent(): AuditEventDraft {
  const current = draftStorage.getStore();
  if (current === undefined) throw new Error("a change without an audit event is not allowed");
  return current;
}

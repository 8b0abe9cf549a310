import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { addLogFields } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import type { TraceParent } from "@/lib/tracing/trace-parent";

/** Never values of requests or rows: no query strings, headers, bodies, addresses of people. Ids of organizations and resources are fine. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** `server` answers a request, `client` calls another system. */
export type SpanKind = "server" | "client" | "internal";

/** A recorded span in progress. */
export interface OpenSpan {
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** Marks it as failed, with a type of error rather than its message. */
  fail(type: string): void;
  end(): void;
}

/** What exports spans. Only `startTracing` makes one. */
export interface Tracer {
  /** Null if the trace is not sampled. */
  start(name: string, kind: SpanKind, attributes: Attributes, parent: OpenSpan | TraceParent | null): OpenSpan | null;
  /** Exports what is left, within a bounded time. */
  close(): Promise<void>;
}

/** The trace of the running code. */
interface Scope {
  /** Null if neither the caller nor an export knows this trace. */
  traceId: string | null;
  span: OpenSpan | null;
  /** Timers and connections that the work began may outlive it; what they do is not part of the trace. */
  isOver: boolean;
}

/** Shared by the copies of this module that Next bundles. */
const state = processSingleton("tracing", () => ({
  tracer: null as Tracer | null,
  scopes: new AsyncLocalStorage<Scope>(),
}));

addLogFields("tracing", () => {
  const traceId = currentTraceId();
  return traceId === null ? {} : { trace_id: traceId };
});

export function setTracer(tracer: Tracer | null): void {
  state.tracer = tracer;
}

/** Whether spans are exported. */
export function isTracing(): boolean {
  return state.tracer !== null;
}

/** Exports the remaining spans before the process exits, within a bounded time. */
export async function closeTracer(): Promise<void> {
  await state.tracer?.close();
}

function currentScope(): Scope | undefined {
  const scope = state.scopes.getStore();
  return scope?.isOver ? undefined : scope;
}

/** The id of the trace that the running code belongs to, if its caller or an export knows it. */
export function currentTraceId(): string | null {
  return currentScope()?.traceId ?? null;
}

/** Adds attributes to the current span, if there is one. */
export function setSpanAttributes(attributes: Attributes): void {
  if (state.tracer !== null) currentScope()?.span?.set(attributes);
}

/** Marks the current span as failed, if there is one. `type` is a code, not a message. */
export function failSpan(type: string): void {
  if (state.tracer !== null) currentScope()?.span?.fail(type);
}

/** Runs `work` in a span within the current one, or in a new trace. Only calls `work` if nothing is exported. */
export function span<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  kind: SpanKind = "internal",
): Promise<Result> {
  const { tracer } = state;
  if (tracer === null) return work();
  const outer = currentScope();
  // A trace that is not sampled has no spans at all.
  if (outer !== undefined && outer.span === null) return work();
  return within(tracer.start(name, kind, attributes, outer?.span ?? null), null, work);
}

/** Runs the work of a request in the trace of its caller, if any. Only calls `work` if there is no caller and nothing is exported. */
export function requestSpan<Result>(
  name: string,
  attributes: Attributes,
  parent: TraceParent | null,
  work: () => Promise<Result>,
): Promise<Result> {
  const { tracer } = state;
  if (tracer === null && parent === null) return work();
  return within(tracer?.start(name, "server", attributes, parent) ?? null, parent?.traceId ?? null, work);
}

async function within<Result>(
  open: OpenSpan | null,
  knownTraceId: string | null,
  work: () => Promise<Result>,
): Promise<Result> {
  const scope: Scope = { traceId: open?.traceId ?? knownTraceId, span: open, isOver: false };
  try {
    return await state.scopes.run(scope, work);
  } catch (error) {
    if (!isRefusal(error)) open?.fail(errorType(error));
    throw error;
  } finally {
    scope.isOver = true;
    open?.end();
  }
}

/** Begins a span for a call with a callback, within the current span. Returns its end; undefined if nothing is recorded. */
export function beginSpan(
  describe: () => [name: string, attributes: Attributes],
): ((error: Error | null) => void) | undefined {
  const { tracer } = state;
  if (tracer === null) return undefined;
  const outer = currentScope()?.span ?? null;
  if (outer === null) return undefined;
  const [name, attributes] = describe();
  const open = tracer.start(name, "client", attributes, outer);
  return (error) => {
    if (error !== null) open?.fail(errorType(error));
    open?.end();
  };
}

/** Makes a callback run in the trace of the code that passes it, whoever calls it. Returns it unchanged if nothing is exported. */
export function keepTrace<Words extends unknown[]>(
  callback: (...words: Words) => unknown,
): (...words: Words) => unknown {
  return state.tracer === null ? callback : AsyncResource.bind(callback);
}

/** An error that is the caller's, such as 404. */
function isRefusal(error: unknown): boolean {
  const { name, status } = (error ?? {}) as { name?: unknown; status?: unknown };
  return name === "ApiError" && typeof status === "number" && status < 500;
}

/** A code or the name of a class; messages may have values. */
function errorType(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return (
    ([code, name].find((each) => typeof each === "string" && /^\w{1,60}$/.test(each)) as string | undefined) ?? "Error"
  );
}

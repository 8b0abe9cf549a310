/**
 * Node's and Prisma's codes and SQLSTATEs for a database that is unreachable, starting, stopping or full, for an exceeded time limit (of
 * a statement: 57014, of a lock: 55P03, of an idle transaction: 25P03), or for a deadlock that another transaction survived (40P01, P2034).
 */
const CODES =
  /^(E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|P1001|P1002|P1008|P1017|P2024|P2028|P2034|P2037|08...|57P0[1-5]|53...|25006|57014|55P03|25P03|40P01)$/;
/** Codes of a Unix socket that does not exist, or whose queue of connections is full. Other system calls have them for files. */
const NO_SOCKET = /^(ENOENT|EAGAIN)$/;
/** Messages of pg without a code. */
const MESSAGES =
  /Connection terminated|not currently accepting connections|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|not queryable/;

/** Codes of an exceeded time limit of a statement, lock or transaction, or of a deadlock; the database itself may be available. */
const TIME_LIMITS = /^(57014|55P03|25P03|P2028|40P01|P2034)$/;

/** Whether an error means that a database is currently unavailable, as opposed to a problem with the request or with Sealwatch. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) && !(typeof error === "object" && error !== null)) return false;
  const { code, syscall, message, cause, meta } = error as {
    code?: unknown;
    syscall?: unknown;
    message?: unknown;
    cause?: unknown;
    meta?: unknown;
  };
  if (typeof code === "string" && (CODES.test(code) || (syscall === "connect" && NO_SOCKET.test(code)))) return true;
  if (typeof message === "string" && MESSAGES.test(message)) return true;
  if (error instanceof AggregateError && error.errors.some((each) => isUnavailable(each, depth + 1))) return true;
  if (depth > 3) return false;
  const adapterError = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return isUnavailable(cause, depth + 1) || isUnavailable(adapterError, depth + 1);
}

/** Whether only this piece of work took too long or met a deadlock, so that the next may succeed. */
export function isTimeLimit(error: unknown, depth = 0): boolean {
  if (typeof error !== "object" || error === null || depth > 3) return false;
  const { code, cause, meta } = error as { code?: unknown; cause?: unknown; meta?: unknown };
  if (typeof code === "string" && TIME_LIMITS.test(code)) return true;
  const adapterError = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError;
  return isTimeLimit(cause, depth + 1) || isTimeLimit(adapterError, depth + 1);
}

/** Whether a database is unavailable for all work. */
export function isAway(error: unknown): boolean {
  return isUnavailable(error) && !isTimeLimit(error);
}

import type pg from "pg";

/**
 * The commit was sent, and its answer was lost or ended the connection, so the transaction may or may not be committed. `cause` is the
 * first error.
 */
export class CommitOutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super("the database's answer to a commit was lost", { cause });
  }
}

/** Whether a transaction may be committed after one of its last statements failed. `committing` is undefined if no commit was sent. */
export async function mayBeCommitted(committing: Promise<pg.QueryResult> | undefined): Promise<boolean> {
  if (committing === undefined) return false;
  try {
    return (await committing).command === "COMMIT";
  } catch (error) {
    // An error without severity is the driver's own, and FATAL is also what poolers say of their lost connection.
    return (error as { severity?: string }).severity !== "ERROR";
  }
}

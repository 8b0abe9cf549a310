/**
 * SQL for a lock of the monitoring database, until the end of the transaction ($1: the organization): placing a hold takes it alone,
 * carrying out a redaction shares it, so that each redaction is either done before the hold or knows of it.
 */
export const lockForHold = "SELECT pg_advisory_xact_lock(hashtextextended('audit_holds ' || $1, 0))";
export const lockForRedaction = "SELECT pg_advisory_xact_lock_shared(hashtextextended('audit_holds ' || $1, 0))";

-- `Idempotency-Key` on every POST. `idempotency_keys` stays for the release before, which may still run.
CREATE TABLE "idempotent_requests" (
    "organization_id" UUID NOT NULL,
    "actor_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "attempt" UUID NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "committed_at" TIMESTAMPTZ(3),
    "status" SMALLINT,
    "headers" JSONB,
    "body" TEXT,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("organization_id", "actor_id", "key")
);
CREATE INDEX "idempotent_requests_claimed_at_idx" ON "idempotent_requests" ("claimed_at");
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_organization_id_fkey"
    FOREIGN KEY ("organization_id") REFERENCES "organizations" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

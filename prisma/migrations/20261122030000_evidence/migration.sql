-- What every rate can be proven by. The new columns are nullable and have no default, so that no table is rewritten:
-- null says that it was not recorded yet.

-- CreateEnum
CREATE TYPE "revision_cause" AS ENUM ('source', 'reading');

-- The run that recorded a rate.
ALTER TABLE "rates" ADD COLUMN "run" INTEGER;
ALTER TABLE "rate_revisions"
    ADD COLUMN "run" INTEGER,
    ADD COLUMN "cause" "revision_cause";
ALTER TABLE "ingest_runs" ADD COLUMN "reading" INTEGER;

-- CreateIndex
CREATE INDEX "rate_revisions_date_idx" ON "rate_revisions"("date");

-- CreateIndex
CREATE INDEX "rate_revisions_replaced_at_id_idx" ON "rate_revisions"("replaced_at", "id");

-- CreateTable
CREATE TABLE "run_responses" (
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "url" TEXT NOT NULL,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,
    "sha256" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,

    CONSTRAINT "run_responses_pkey" PRIMARY KEY ("run","number")
);

-- CreateTable
CREATE TABLE "suspect_states" (
    "suspect" BIGINT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "status" "suspect_status" NOT NULL,

    CONSTRAINT "suspect_states_pkey" PRIMARY KEY ("suspect","since")
);

-- What is known of the suspects so far: that they were held, and what became of them.
INSERT INTO "suspect_states" ("suspect", "since", "status")
SELECT "id", "suspected_at", 'held' FROM "suspects"
WHERE "resolved_at" IS NULL OR "resolved_at" > "suspected_at"
UNION ALL
SELECT "id", "resolved_at", "status" FROM "suspects" WHERE "resolved_at" IS NOT NULL;

-- Codes and provider keys are plain ASCII. They compare by bytes ("C"), which sorts and builds the indexes of
-- millions of rows several times as fast as a language's rules. Every such column has it, so that joins agree.

-- CreateEnum
CREATE TYPE "run_outcome" AS ENUM ('running', 'succeeded', 'failed');

-- CreateTable
CREATE TABLE "providers" (
    "key" TEXT COLLATE "C" NOT NULL,
    "start_date" DATE,
    "end_date" DATE,
    "backfilled_to" DATE,
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_error" TEXT,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "rates" (
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "base" VARCHAR(3) COLLATE "C" NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rates_pkey" PRIMARY KEY ("provider","date","base","quote")
);

-- CreateTable
CREATE TABLE "rate_revisions" (
    "id" BIGSERIAL NOT NULL,
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "base" VARCHAR(3) COLLATE "C" NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "replaced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rate_revisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "currencies" (
    "code" VARCHAR(3) COLLATE "C" NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,

    CONSTRAINT "currencies_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "currency_coverage" (
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "currency" VARCHAR(3) COLLATE "C" NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,

    CONSTRAINT "currency_coverage_pkey" PRIMARY KEY ("provider","currency")
);

-- CreateTable
CREATE TABLE "ingest_runs" (
    "id" BIGSERIAL NOT NULL,
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "job_id" TEXT,
    "reason" TEXT NOT NULL,
    "window_from" DATE NOT NULL,
    "window_to" DATE,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "outcome" "run_outcome" NOT NULL DEFAULT 'running',
    "rows_new" INTEGER NOT NULL DEFAULT 0,
    "rows_corrected" INTEGER NOT NULL DEFAULT 0,
    "rows_unchanged" INTEGER NOT NULL DEFAULT 0,
    "rows_dropped" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT,

    CONSTRAINT "ingest_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blended_days" (
    "date" DATE NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "blended_days_pkey" PRIMARY KEY ("date","quote")
);

-- CreateTable
CREATE TABLE "blended_weeks" (
    "date" DATE NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "blended_weeks_pkey" PRIMARY KEY ("date","quote")
);

-- CreateTable
CREATE TABLE "blended_months" (
    "date" DATE NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "blended_months_pkey" PRIMARY KEY ("date","quote")
);

-- CreateTable
CREATE TABLE "data_versions" (
    "version" BIGSERIAL NOT NULL,
    "changed_from" DATE NOT NULL,
    "changed_to" DATE NOT NULL,
    "provider" VARCHAR(8) COLLATE "C",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_versions_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "refusal_phrases" (
    "id" SERIAL NOT NULL,
    "phrase" TEXT NOT NULL,

    CONSTRAINT "refusal_phrases_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "rates_date_idx" ON "rates"("date");

-- CreateIndex
CREATE INDEX "rate_revisions_provider_date_base_quote_idx" ON "rate_revisions"("provider", "date", "base", "quote");

-- CreateIndex
CREATE INDEX "ingest_runs_provider_started_at_idx" ON "ingest_runs"("provider", "started_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "refusal_phrases_phrase_key" ON "refusal_phrases"("phrase");

-- AddForeignKey
ALTER TABLE "currency_coverage" ADD CONSTRAINT "currency_coverage_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_runs" ADD CONSTRAINT "ingest_runs_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

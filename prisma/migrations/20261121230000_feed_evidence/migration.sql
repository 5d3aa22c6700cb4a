-- What the reading of a run said, beside what was stored of it.
ALTER TABLE "ingest_runs"
    ADD COLUMN "rows_skipped" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "no_data" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "responses" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "response_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "set_aside_windows" (
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "window_from" DATE NOT NULL,
    "window_to" DATE NOT NULL,
    "reason" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "set_aside_windows_pkey" PRIMARY KEY ("provider","window_from","window_to")
);

-- CreateTable
CREATE TABLE "thin_days" (
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "currencies" INTEGER NOT NULL,
    "usual" INTEGER NOT NULL,

    CONSTRAINT "thin_days_pkey" PRIMARY KEY ("provider","date")
);

-- What came of all runs of a provider, counted when a run ends: a scrape need not add them up, and runs need not be kept
-- for it.
ALTER TABLE "providers"
    ADD COLUMN "runs_succeeded" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "runs_failed" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "rows_new" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "rows_corrected" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "rows_dropped" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "rows_skipped" BIGINT NOT NULL DEFAULT 0;

UPDATE "providers" SET
    "runs_succeeded" = "totals"."runs_succeeded",
    "runs_failed" = "totals"."runs_failed",
    "rows_new" = "totals"."rows_new",
    "rows_corrected" = "totals"."rows_corrected",
    "rows_dropped" = "totals"."rows_dropped",
    "rows_skipped" = "totals"."rows_skipped",
    -- So far that of the oldest run counted where none was noted.
    "reading" = coalesce("providers"."reading", "totals"."reading")
FROM (
    SELECT "provider",
        count(*) FILTER (WHERE "outcome" = 'succeeded') AS "runs_succeeded",
        count(*) FILTER (WHERE "outcome" = 'failed') AS "runs_failed",
        sum("rows_new") AS "rows_new",
        sum("rows_corrected") AS "rows_corrected",
        sum((SELECT coalesce(sum("value"::int), 0) FROM jsonb_each_text("rows_dropped"))) AS "rows_dropped",
        sum((SELECT coalesce(sum("value"::int), 0) FROM jsonb_each_text("rows_skipped"))) AS "rows_skipped",
        min(coalesce("reading", 1)) FILTER (WHERE "outcome" = 'succeeded') AS "reading"
    FROM "ingest_runs" WHERE "outcome" <> 'running' GROUP BY "provider"
) AS "totals" WHERE "totals"."provider" = "providers"."key";

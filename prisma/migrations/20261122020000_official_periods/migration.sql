-- Keys of more than eight letters, such as INFOREURO. Longer text is no other storage: no table is rewritten.
ALTER TABLE "rates" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "rate_revisions" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "currency_coverage" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "ingest_runs" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "set_aside_windows" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "thin_days" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";
ALTER TABLE "data_versions" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";

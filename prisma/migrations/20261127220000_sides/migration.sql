-- Both sides of the rates of sources that publish them. Columns without a default need no rewrite of the table.
ALTER TABLE "rates" ADD COLUMN "buy" DOUBLE PRECISION, ADD COLUMN "sell" DOUBLE PRECISION;
ALTER TABLE "rate_revisions" ADD COLUMN "buy" DOUBLE PRECISION, ADD COLUMN "sell" DOUBLE PRECISION;

-- Older workers correct a rate without its sides.
UPDATE "schema_compatibility" SET "oldest_writer" = '20261127220000_sides';

-- The means of weeks and months are computed from the days.
DROP TABLE "blended_weeks";
DROP TABLE "blended_months";

-- Older programs read and write the tables.
UPDATE "schema_compatibility"
SET "oldest_reader" = '20261128010000_no_stored_means', "oldest_writer" = '20261128010000_no_stored_means';

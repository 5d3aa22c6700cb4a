-- No CDN is told what has changed any more.
DROP TABLE "cdn_purges";

-- Older workers write the table.
UPDATE "schema_compatibility" SET "oldest_writer" = '20261127030000_no_purges';

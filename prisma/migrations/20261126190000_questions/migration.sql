-- A confirmation is final: a suspect is not held back again.
ALTER TABLE "suspects" DROP COLUMN "refuted_on";

-- Why a rate was suspect at an instant, and by what, is a part of the answer as of it.
ALTER TABLE "suspect_states"
    ADD COLUMN "reason" TEXT,
    ADD COLUMN "evidence" JSONB NOT NULL DEFAULT '{}';

UPDATE "suspect_states" AS state SET "reason" = suspects."reason", "evidence" = suspects."evidence"
FROM "suspects" WHERE suspects."id" = state."suspect";

ALTER TABLE "suspect_states" ALTER COLUMN "reason" SET NOT NULL;

-- Older workers write the dropped column.
UPDATE "schema_compatibility" SET "oldest_writer" = '20261126190000_questions';

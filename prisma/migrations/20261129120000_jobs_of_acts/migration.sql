-- The job of an act, also after it has ended.
ALTER TABLE "operator_acts" ADD COLUMN "job" TEXT;

-- The job that carries out an act, until it has ended: Redis may lose it meanwhile. Those that are waiting now are in the
-- queue only, as they were.
ALTER TABLE "operator_acts" ADD COLUMN "pending_job" JSONB;

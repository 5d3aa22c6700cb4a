CREATE TABLE "worker_tasks" (
    "task" TEXT NOT NULL,
    "act" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3),
    "succeeded_at" TIMESTAMPTZ(3),
    "outcome" JSONB,
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "worker_tasks_pkey" PRIMARY KEY ("task")
);

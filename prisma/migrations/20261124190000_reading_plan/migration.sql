-- What the workers read of their own accord, as one of them said last. One row, none before the first worker and after
-- the last.
CREATE TABLE "reading_plan" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "sources" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reading_plan_pkey" PRIMARY KEY ("id")
);

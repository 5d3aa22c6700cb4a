-- CreateEnum
CREATE TYPE "suspect_status" AS ENUM ('held', 'confirmed', 'accepted', 'rejected', 'corrected');

-- CreateTable
CREATE TABLE "suspects" (
    "id" BIGSERIAL NOT NULL,
    "provider" VARCHAR(8) COLLATE "C" NOT NULL,
    "date" DATE NOT NULL,
    "base" VARCHAR(3) COLLATE "C" NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "rate" DOUBLE PRECISION NOT NULL,
    "reason" TEXT NOT NULL,
    "expected" DOUBLE PRECISION NOT NULL,
    "others" INTEGER NOT NULL,
    "status" "suspect_status" NOT NULL DEFAULT 'held',
    "suspected_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,

    CONSTRAINT "suspects_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "suspects_provider_date_base_quote_rate_key" ON "suspects"("provider", "date", "base", "quote", "rate");

-- CreateIndex
CREATE INDEX "suspects_date_idx" ON "suspects"("date");

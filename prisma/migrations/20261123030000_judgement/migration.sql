-- The judgement of a rate needs the last rate of every pair, however old: the days of pairs tell where it is.

-- CreateTable
CREATE TABLE "pair_coverage" (
    "provider" VARCHAR(16) COLLATE "C" NOT NULL,
    "base" VARCHAR(3) COLLATE "C" NOT NULL,
    "quote" VARCHAR(3) COLLATE "C" NOT NULL,
    "start_date" DATE NOT NULL,
    "end_date" DATE NOT NULL,

    CONSTRAINT "pair_coverage_pkey" PRIMARY KEY ("provider","base","quote")
);

INSERT INTO "pair_coverage" ("provider", "base", "quote", "start_date", "end_date")
SELECT "provider", "base", "quote", min("date"), max("date") FROM "rates" GROUP BY "provider", "base", "quote";

-- AddForeignKey
ALTER TABLE "pair_coverage" ADD CONSTRAINT "pair_coverage_provider_fkey" FOREIGN KEY ("provider") REFERENCES "providers"("key") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The days of a provider's currencies follow from those of its pairs.
DROP TABLE "currency_coverage";

-- What a rate was judged by, and on which observation dates that changed.
ALTER TABLE "suspects"
    ADD COLUMN "evidence" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "confirmed_on" DATE,
    ADD COLUMN "confirmed_by" TEXT,
    ADD COLUMN "refuted_on" DATE;

UPDATE "suspects" SET "confirmed_on" = "date" WHERE "status" = 'confirmed';

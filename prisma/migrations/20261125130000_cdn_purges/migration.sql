-- Up to which data version a CDN has been told what changed, in each of the rounds in which it is told.
CREATE TABLE "cdn_purges" (
    "round" VARCHAR(16) NOT NULL,
    "version" BIGINT NOT NULL,
    "purged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cdn_purges_pkey" PRIMARY KEY ("round")
);

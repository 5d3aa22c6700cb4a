-- What was signed last of each published log, so that no two publications ever continue the same one differently.
CREATE TABLE "publications" (
    "origin" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "root" BYTEA NOT NULL,
    "record" BYTEA NOT NULL,
    "keys" TEXT NOT NULL,
    "url" TEXT,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "publications_pkey" PRIMARY KEY ("origin")
);

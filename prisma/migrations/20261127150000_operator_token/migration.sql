CREATE TABLE "operator_token" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "hash" BYTEA,
    "salt" BYTEA,
    "link" BYTEA,
    "link_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "operator_token_pkey" PRIMARY KEY ("id")
);

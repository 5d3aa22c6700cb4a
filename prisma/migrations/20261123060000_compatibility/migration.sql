-- The oldest programs that this schema serves, each named by the newest migration that it has. A migration that takes
-- something away updates the row; programs from before this table end at any migration that they don't know.
CREATE TABLE "schema_compatibility" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "oldest_reader" TEXT NOT NULL,
    "oldest_writer" TEXT NOT NULL,

    CONSTRAINT "schema_compatibility_pkey" PRIMARY KEY ("id")
);

INSERT INTO "schema_compatibility" ("oldest_reader", "oldest_writer")
VALUES ('20261123060000_compatibility', '20261123060000_compatibility');

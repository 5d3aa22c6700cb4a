-- The method by which the blends of a data version were made: see docs/decisions/0015-blend-method.md. Those so far are
-- of method 1, and so are those of programs that do not say.
ALTER TABLE "data_versions" ADD COLUMN "method" INTEGER NOT NULL DEFAULT 1;

-- The providers that the blends of a data version leave out altogether: their keys with commas between. Programs that do
-- not say leave out none.
ALTER TABLE "data_versions" ADD COLUMN "excepted" TEXT NOT NULL DEFAULT '';

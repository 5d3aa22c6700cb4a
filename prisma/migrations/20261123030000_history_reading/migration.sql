-- The reading number for which the history of a provider was asked for again; null where that was never done.
ALTER TABLE "providers" ADD COLUMN "reading" INTEGER;

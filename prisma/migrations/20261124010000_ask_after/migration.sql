-- Until when a source asks to be left alone, by `retry-after`.
ALTER TABLE "providers" ADD COLUMN "ask_after" TIMESTAMPTZ(3);

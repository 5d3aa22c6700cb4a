-- Keys of more than eight letters, as in all other tables. Longer text is no other storage: the table is not rewritten.
ALTER TABLE "suspects" ALTER COLUMN "provider" TYPE VARCHAR(16) COLLATE "C";

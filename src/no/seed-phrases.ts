import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from '../../core/database/database.js';
import { fillEmptyPhrases } from '../../core/database/refusal-phrases.js';
import { dataFile } from '../../core/process/project-files.js';

const phraseList = z.array(z.string().min(1)).min(1);

/**
 * Inserts the refusal phrases that ship with the project into an empty table, and returns their number. A table with any
 * phrase belongs to the operator and is left unchanged, so that edits and deletions stay. Several processes may call it at
 * once, right after the migrations.
 */
export async function seedPhrases(
  database: Database,
  phrases: readonly string[] = readPhrases(),
): Promise<number> {
  return fillEmptyPhrases(database, phrases);
}

/** The phrases that ship with the project. */
export function readPhrases(): string[] {
  return phraseList.parse(JSON.parse(readFileSync(dataFile('phrases.json'), 'utf8')));
}

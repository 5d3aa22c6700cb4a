import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { z } from 'zod';
import { withTransaction } from '../../core/database/database.js';
import { dataFile } from '../../core/process/project-files.js';

const phraseList = z.array(z.string().min(1)).min(1);
const LOCK = 72_707_370;

/**
 * Fills the refusal phrases that ship with the project into an empty table and returns how many. A table that
 * holds any phrase belongs to the operator and is left as it is, so that edits and deletions stay. Safe to call
 * from several processes at once, right after the migrations.
 */
export async function seedPhrases(
  pool: pg.Pool,
  phrases: readonly string[] = readPhrases(),
): Promise<number> {
  return withTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
    const { rowCount } = await client.query(
      `insert into refusal_phrases (phrase)
       select phrase from unnest($1::text[]) as phrase
       where not exists (select from refusal_phrases)
       on conflict (phrase) do nothing`,
      [phrases],
    );
    return rowCount ?? 0;
  });
}

function readPhrases(): string[] {
  return phraseList.parse(JSON.parse(readFileSync(dataFile('phrases.json'), 'utf8')));
}

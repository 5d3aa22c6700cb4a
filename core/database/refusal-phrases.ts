import { type Database, poolOf } from './database.js';
import { sql } from './sql.js';

/** Draws IDs until one exists: uniform despite gaps. `offset 0` keeps the planner from joining draws to the table. */
export const DRAW = sql`
  select phrase
  from (
    select first + floor(random() * (last - first + 1))::integer as id
    from (select min(id) as first, max(id)::bigint as last from refusal_phrases) as ends, generate_series(1, 32)
  ) as draws
  cross join lateral (select phrase from refusal_phrases where refusal_phrases.id = draws.id offset 0) as found
  limit 1`;

/** For a table with many gaps. Also uniform, but scans the index. */
const WALK = sql`
  select phrase from refusal_phrases order by id
  offset floor(random() * (select count(*) from refusal_phrases)) limit 1`;

/** A random phrase, uniformly distributed; undefined if there are none. Throws after the timeout. */
export async function drawPhrase(database: Database, limitMs: number): Promise<string | undefined> {
  // PostgreSQL walks only if no draw has found a phrase.
  const query = { text: sql`select coalesce((${DRAW}), (${WALK})) as phrase`.text, query_timeout: limitMs };
  const { rows } = await poolOf(database).query<{ phrase: string | null }>(query);
  return rows[0]?.phrase ?? undefined;
}

/** Stores phrases if there are none. Returns how many it stored: of concurrent calls, one stores all. */
export async function fillEmptyPhrases(database: Database, phrases: readonly string[]): Promise<number> {
  const { rowCount } = await poolOf(database).query(
    `insert into refusal_phrases (phrase)
     select phrase from unnest($1::text[]) as phrase
     where not exists (select from refusal_phrases)
     on conflict (phrase) do nothing`,
    [phrases],
  );
  return rowCount ?? 0;
}

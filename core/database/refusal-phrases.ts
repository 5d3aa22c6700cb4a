import { type Database, poolOf } from './database.js';
import { LOCKS, lockUntilEnd } from './locks.js';
import { type Sql, sql } from './sql.js';
import { inBulkTransaction } from './transactions.js';

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
  const deadline = performance.now() + limitMs;
  const draw = async ({ text, values }: Sql) => {
    const query = { text, values, query_timeout: Math.max(1, deadline - performance.now()) };
    const { rows } = await poolOf(database).query<{ phrase: string }>(query);
    return rows[0]?.phrase;
  };
  return (await draw(DRAW)) ?? (await draw(WALK));
}

/** Stores phrases if there are none, over a plain connection, whose first query is faster than Prisma's. */
export async function fillEmptyPhrases(database: Database, phrases: readonly string[]): Promise<number> {
  return inBulkTransaction(database, async (transaction) => {
    await lockUntilEnd(transaction, LOCKS.refusalPhrases);
    return transaction.execute(
      sql`insert into refusal_phrases (phrase)
          select phrase from unnest(${[...phrases]}::text[]) as phrase
          where not exists (select from refusal_phrases)
          on conflict (phrase) do nothing`,
    );
  });
}

import type pg from 'pg';

const DRAWS = 32;
const LONGEST_MS = 2_000;

/**
 * Draws ids between the first and the last until one is there: uniform, whatever gaps deletions left, and one
 * look into the index a draw. `offset 0` keeps the planner from joining the draws to the whole table.
 */
export const DRAW = `
  select phrase
  from (
    select first + floor(random() * (last - first + 1))::integer as id
    from (select min(id) as first, max(id)::bigint as last from refusal_phrases) as ends, generate_series(1, ${DRAWS})
  ) as draws
  cross join lateral (select phrase from refusal_phrases where refusal_phrases.id = draws.id offset 0) as found
  limit 1`;

/** For a table that is nearly all gaps: just as uniform, but walks the index. */
const WALK = `
  select phrase from refusal_phrases order by id
  offset floor(random() * (select count(*) from refusal_phrases)) limit 1`;

/** PostgreSQL gave no answer, or none in time. */
export class PhrasesUnreachable extends Error {
  override readonly name = 'PhrasesUnreachable';
}

/**
 * One phrase, each as likely as the others; undefined where there is none. Throws a PhrasesUnreachable within two
 * seconds where the database doesn't answer.
 */
export async function randomPhrase(pool: pg.Pool): Promise<string | undefined> {
  const deadline = performance.now() + LONGEST_MS;
  const ask = async (text: string) => {
    const query = { text, query_timeout: Math.max(1, deadline - performance.now()) };
    const { rows } = await pool.query<{ phrase: string }>(query);
    return rows[0]?.phrase;
  };
  return withinTime(ask(DRAW).then((phrase) => phrase ?? ask(WALK)));
}

/** A connection that isn't made has a time limit of its own, which is longer than a client should wait. */
async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new PhrasesUnreachable('no answer in time')), LONGEST_MS);
  });
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    if (cause instanceof PhrasesUnreachable) throw cause;
    throw new PhrasesUnreachable('the query failed', { cause });
  } finally {
    clearTimeout(timer);
  }
}

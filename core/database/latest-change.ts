import type { Database } from './database.js';
import { sql } from './sql.js';
import { rowOf } from './transactions.js';

/** Changes with every run, act of an operator, data version and task of a worker. Cheap enough to read each second. */
export async function readLatestChange(database: Database): Promise<string> {
  const { mark } = await rowOf<{ mark: string }>(
    database,
    sql`select concat_ws(' ',
      (select max(id) from operator_acts), (select max(id) from ingest_runs), (select max(version) from data_versions),
      (select sum(runs_succeeded + runs_failed) from providers), (select max(signed_at) from publications),
      (select string_agg(worker_tasks::text, ' ' order by task) from worker_tasks)) as mark`,
  );
  return mark;
}

import { type Database, withTransaction } from '../../core/database/database.js';
import { refreshCurrencies, refreshProviders } from '../../worker/ingest/coverage.js';

/** Provider, currency, first day, last day. */
export type Published = [provider: string, currency: string, start: string, end: string];

/** Says in the database that providers published currencies, under a new data version. */
export async function publish({ pool }: Database, published: readonly Published[]): Promise<void> {
  const column = (at: number) => published.map((row) => row[at]);
  await withTransaction(pool, async (client) => {
    await client.query(
      'insert into providers (key) select distinct unnest($1::text[]) on conflict do nothing',
      [column(0)],
    );
    await client.query(
      `insert into currency_coverage (provider, currency, start_date, end_date)
       select * from unnest($1::text[], $2::text[], $3::date[], $4::date[])`,
      [0, 1, 2, 3].map(column),
    );
    await refreshProviders(client);
    await refreshCurrencies(client);
    await client.query(
      `insert into data_versions (changed_from, changed_to) values ('2026-03-18', '2026-03-18')`,
    );
  });
}

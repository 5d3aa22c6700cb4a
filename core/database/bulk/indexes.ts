import type { Transaction } from '../transactions.js';

const UNIQUE_VIOLATION = '23505';

/**
 * Drops the indexes of the table while it is first filled: building them afterwards takes a third of the
 * time. The empty table is locked for readers until the transaction ends. Returns a function that builds them
 * again, keeping the first row of each key. A user that does not own the table keeps the indexes.
 */
export async function dropIndexes({ client }: Transaction): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ name: string; definition: string; is_primary: boolean }>(
    `select relname as name, pg_get_indexdef(indexrelid) as definition, indisprimary as is_primary
     from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = 'rates'::regclass and pg_has_role(relowner, 'usage') order by indisprimary desc`,
  );
  for (const { name, is_primary } of rows) {
    const index = client.escapeIdentifier(name);
    await client.query(is_primary ? `alter table rates drop constraint ${index}` : `drop index ${index}`);
  }
  return async () => {
    for (const { name, definition, is_primary } of rows) {
      if (is_primary) await dropDuplicatesOnFailure(client, () => client.query(definition));
      else await client.query(definition);
      const index = client.escapeIdentifier(name);
      if (is_primary)
        await client.query(`alter table rates add constraint ${index} primary key using index ${index}`);
    }
  };
}

/** Removes duplicates only if building fails, as searching for them takes longer than building. */
async function dropDuplicatesOnFailure(
  client: Transaction['client'],
  build: () => Promise<unknown>,
): Promise<void> {
  await client.query('savepoint before_index');
  try {
    await build();
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    await client.query('rollback to savepoint before_index');
    await client.query(
      `delete from rates using (
         select provider, date, base, quote, min(ctid) as first
         from rates group by provider, date, base, quote having count(*) > 1
       ) as twice
       where rates.provider = twice.provider and rates.date = twice.date
         and rates.base = twice.base and rates.quote = twice.quote and rates.ctid <> twice.first`,
    );
    await build();
  }
}

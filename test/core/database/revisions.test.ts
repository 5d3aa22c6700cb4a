import { expect, it } from 'vitest';
import { type RevisionFilter, readRevisions } from '../../../core/database/revisions.js';
import { ownDatabase } from '../support.js';

const HOUR = 3_600_000;
const FIRST = Date.parse('2026-03-06T10:00:00Z');
const at = (hour: number) => new Date(FIRST + hour * HOUR);

const database = await ownDatabase();
// Number 1 was replaced by number 2, and that by the stored rate, as the others were; 3 and 4 at one instant.
await database.pool.query(
  `insert into rate_revisions (provider, date, base, quote, rate, recorded_at, replaced_at, cause)
   select provider, date::date, base, quote, rate, $1::timestamptz - interval '1 hour',
          $1::timestamptz + hours * interval '1 hour', cause::revision_cause
   from (values
     ('ECB', '2026-03-02', 'EUR', 'USD', 1.1, 0, 'source'),
     ('ECB', '2026-03-02', 'EUR', 'USD', 1.2, 1, 'reading'),
     ('BOC', '2026-03-03', 'USD', 'CAD', 1.3, 2, null),
     ('ECB', '2026-03-04', 'EUR', 'CAD', 1.4, 2, null)
   ) as made (provider, date, base, quote, rate, hours, cause)`,
  [at(0)],
);
await database.pool.query(
  `insert into rates (provider, date, base, quote, rate, recorded_at)
   select distinct provider, date, base, quote, 9, now() from rate_revisions
   union select 'ECB', '2026-03-02', 'EUR', 'CAD', 7, now()
   union select 'BOC', '2026-03-02', 'EUR', 'USD', 7, now()`,
);

it('a revision has what was stored, by what it was replaced, when and why', async () => {
  const pair = { provider: 'ECB', date: '2026-03-02', base: 'EUR', quote: 'USD', recordedAt: at(-1) };
  const none = { buy: null, sell: null, buy_was: null, sell_was: null };
  expect(await readRevisions(database, { providers: ['ECB'], currencies: ['USD'] }, 10)).toEqual([
    { id: '2', ...pair, was: 1.2, rate: 9, sides: none, replacedAt: at(1), cause: 'reading' },
    { id: '1', ...pair, was: 1.1, rate: 1.2, sides: none, replacedAt: at(0), cause: 'source' },
  ]);
});

it.each<[string, RevisionFilter, number[], limit?: number]>([
  ['all, the last that were made first', {}, [4, 3, 2, 1]],
  ['no more than the limit', {}, [4, 3], 2],
  ['those since an instant, which is included', { since: Number(at(1)) }, [4, 3, 2]],
  ['those since the beginning of time', { since: 0 }, [4, 3, 2, 1]],
  ['those until an instant, which is included', { until: Number(at(1)) }, [2, 1]],
  ['those until the beginning of time', { until: 0 }, []],
  ['those of providers', { providers: ['BOC', 'NB'] }, [3]],
  ['those of no provider', { providers: [] }, []],
  ['those of currencies on either side', { currencies: ['USD'] }, [3, 2, 1]],
  ['those of one of several currencies', { currencies: ['USD', 'CAD'] }, [4, 3, 2, 1]],
  ['those of dates from a day on', { from: '2026-03-03' }, [4, 3]],
  ['those of dates up to a day', { to: '2026-03-03' }, [3, 2, 1]],
  ['those of all that is asked for', { from: '2026-03-03', currencies: ['USD'], providers: ['ECB'] }, []],
  ['those after one of the same instant', { after: { id: '4', replacedAt: at(2) } }, [3, 2, 1]],
  ['those after one', { after: { id: '2', replacedAt: at(1) } }, [1]],
])('lists %s', async (_what, filter, ids, limit = 10) => {
  expect((await readRevisions(database, filter, limit)).map(({ id }) => Number(id))).toEqual(ids);
});

it('an error is that of PostgreSQL', () =>
  expect(readRevisions(database, { from: '2026-02-30' }, 1)).rejects.toMatchObject({ code: '22008' }));

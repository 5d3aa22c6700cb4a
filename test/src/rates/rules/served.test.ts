import { expect, it } from 'vitest';
import { startRun, succeedRun } from '../../../../core/database/ingest-runs.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { databaseWith } from '../../../support/rates.js';
import { ownApi } from '../../own-api.js';

// Good Friday of 2020 is the 10th of April.
const THURSDAY = '2020-04-09';
const SUNDAY = '2020-04-12';
const ROWS = [
  { provider: 'ECB', date: THURSDAY, base: 'EUR', quote: 'USD', rate: 1.0867 },
  { provider: 'NBP', date: THURSDAY, base: 'EUR', quote: 'PLN', rate: 4.5586 },
];
const own = ownApi(() => databaseWith(ROWS), { clock: () => new Date('2020-04-13T09:00:00Z') });

/** A run that has read the source without anything new. */
async function read(reason: string, to: string): Promise<void> {
  const id = await startRun(own.database, {
    provider: 'ECB',
    jobId: undefined,
    reason,
    from: '2020-04-01',
    to,
    reading: 1,
  });
  const nothing = { rowsNew: 0, rowsCorrected: 0, rowsUnchanged: 1, rowsDropped: {} };
  const reading = { rowsSkipped: {}, noData: {}, responses: 1, responseBytes: 1 };
  await inTransaction(own.database, (transaction) =>
    succeedRun(transaction, id, 'ECB', { ...nothing, ...reading }),
  );
  await own.api.catchUp();
}

it('an older rate is answered, and cached, from when its source was read without a newer one', async () => {
  const ask = (headers = {}) =>
    fetch(`${own.api.url}/v2/convert/EUR/USD?amount=10&date=${SUNDAY}&rule=eu-vat`, { headers });
  const refused = async () => {
    for (const _ of ['first', 'again']) {
      const response = await ask();
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(response.headers.get('etag')).toBeNull();
      expect(await response.json()).toMatchObject({
        message:
          'not published yet: ECB has no rate of USD of 2020-04-10; it is expected from 2020-04-13T14:00Z on',
      });
    }
  };
  await refused();
  await read('backfill', '9999-12-31');
  await refused();
  await read('schedule', '2020-04-30');
  await refused();
  await read('schedule', '9999-12-31');
  const [first, again] = [await ask(), await ask()];
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^public/)]);
  const body = await first.text();
  expect(JSON.parse(body)).toMatchObject({ observed: THURSDAY, result: '10.87', rule: { day: SUNDAY } });
  expect(await again.text()).toBe(body);
  expect((await ask({ 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
});

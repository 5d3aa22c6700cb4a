import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BLEND_METHOD } from '../../../../core/domain/providers.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { databaseWith, someRates } from '../../../support/rates.js';
import { ownApi } from '../../own-api.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
const EVERYTHING = '/v2/rates?from=1999-01-01';
const own = ownApi(
  async () => {
    const database = await databaseWith(someRates());
    // A history that is longer than what the buffers of two sockets take.
    await database.pool.query(
      `insert into blended_days (date, quote, rate)
     select day::date, code, case code when 'USD' then 1 else 1 + random() end
       from generate_series('2012-01-01', '2025-11-01', interval '1 day') as day,
            unnest(array['USD', 'EUR', 'GBP', 'SEK', 'NOK', 'DKK', 'AUD', 'NZD', 'HUF', 'PLN', 'CZK']) as code`,
    );
    return database;
  },
  { clock },
);

/** A response of which nothing is read yet. */
async function paused({ url }: TestApi): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + EVERYTHING, { agent: false }, resolve).on('error', reject);
  });
  return response.pause();
}

describe('a long range', () => {
  it('waits for a slow reader instead of piling up, and stops when it leaves', async () => {
    const drawn = { dates: 0, ended: false };
    const watched = await startApi(own.database, { clock, parts: { snapshot: watchedSnapshot(drawn) } });
    try {
      const response = await paused(watched);
      // Nothing moves once the buffers of both sockets are full.
      let before = -1;
      for (let tries = 0; drawn.dates !== before && tries < 60; tries++) {
        before = drawn.dates;
        await sleep(250);
      }
      expect(drawn.ended).toBe(false);
      response.destroy();
      await sleep(300);
      const left = drawn.dates;
      await sleep(200);
      expect([drawn.dates, drawn.ended]).toEqual([left, false]);
    } finally {
      await watched.close();
    }
  });

  it('keeps the version it began with', async () => {
    const rateIn = (body: string) => {
      const rows = JSON.parse(body) as { date: string; quote: string; rate: number }[];
      return rows.find(({ date, quote }) => date === '2025-11-01' && quote === 'GBP')?.rate ?? Number.NaN;
    };
    const response = await paused(own.api);
    const { rows } = await own.database.pool.query(
      `with changed as (update blended_days set rate = rate * 2 where quote = 'GBP' and date = '2025-11-01')
       insert into data_versions (changed_from, changed_to, method)
       values ('2025-11-01', '2025-11-01', ${BLEND_METHOD}) returning version`,
    );
    await own.api.catchUp();
    expect(own.api.context.snapshot.current()?.dataVersion).toBe(BigInt(rows[0].version));
    let text = '';
    for await (const chunk of response) text += chunk;
    const after = await (await fetch(own.api.url + EVERYTHING)).text();
    expect(rateIn(after) / rateIn(text)).toBeCloseTo(2, 3);
  });
});

/** The snapshot of `api`, counting how many of its dates are drawn. */
function watchedSnapshot(drawn: { dates: number; ended: boolean }) {
  const holder = own.api.context.snapshot;
  return {
    ...holder,
    current() {
      const snapshot = holder.current();
      if (!snapshot) return undefined;
      const days = new Proxy(snapshot.days.days, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) drawn.dates++;
          if (key === String(target.length - 1)) drawn.ended = drawn.dates > target.length;
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      Object.assign(drawn, { dates: 0, ended: false });
      return { ...snapshot, days: { ...snapshot.days, days } };
    },
    close: async () => {},
  };
}

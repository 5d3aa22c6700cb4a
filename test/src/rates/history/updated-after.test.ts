import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockData } from '../../../../core/database/locks.js';
import { resolveSuspect } from '../../../../core/database/suspects.js';
import { inTransaction } from '../../../../core/database/transactions.js';
import { addDays } from '../../../../core/domain/dates.js';
import { reblend } from '../../../../worker/blend/reblend.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { apply, randomNumbers, someDay, storeEvents } from '../../../support/changing-store.js';
import { type TestDatabase, testDatabase } from '../../../support/postgres.js';

/** More of them take longer: ALMANAC_MIRRORS=200 keeps two hundred. */
const MIRRORS = Number(process.env.ALMANAC_MIRRORS ?? 40);
const EVENTS = 40;
const CODES = ['EUR', 'USD', 'GBP', 'CHF', 'CAD', 'UAH', 'MWK', 'AED', 'XOF'];

let database: TestDatabase;
let api: TestApi;
const random = randomNumbers(5);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

beforeAll(async () => {
  database = await testDatabase();
  api = await startApi(database);
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});

interface Row {
  date: string;
  quote: string;
  rate: number | null;
}

async function get(path: string): Promise<{ rows: Row[]; knownAt: string | null }> {
  const response = await fetch(`${api.url}${path}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return { rows: JSON.parse(text), knownAt: response.headers.get('x-known-at') };
}

/** A copy of what a request answers, which only ever asks for changes. */
function createMirror(path: string) {
  const isNewest = !path.includes('from=');
  const rows = new Map<string, Row>();
  let since = '2000-01-01';
  let taken = 0;
  return {
    async update() {
      const changes = await get(`${path}&updated_after=${since}`);
      since = changes.knownAt ?? since;
      taken += changes.rows.length;
      for (const row of changes.rows) {
        const key = isNewest ? row.quote : `${row.date} ${row.quote}`;
        if (row.rate === null) rows.delete(key);
        else rows.set(key, row);
      }
    },
    rows: () =>
      [...rows.values()].sort((one, other) => (one.date + one.quote < other.date + other.quote ? -1 : 1)),
    taken: () => taken,
  };
}

function somePath(): string {
  const base = `base=${pick(CODES)}`;
  const which = pick(['', '', `&quotes=${pick(CODES)},${pick(CODES)}`]);
  const source = pick(['', '', '', '&providers=ECB', '&providers=BOC,NBU']);
  const expand = pick(['', '', '&expand=providers', '&expand=quality']);
  const from = someDay(random, 10);
  const to = addDays(from, 5 + Math.floor(random() * 60));
  const days = pick([
    '',
    '',
    `&from=${from}&to=${to}`,
    `&from=${from}`,
    `&from=${from}&to=${to}&group=${pick(['week', 'month', 'range'])}`,
    `&from=${from}&to=${to}&fill=forward`,
  ]);
  return `/v2/rates?${base}${which}${source}${days.includes('fill') ? '' : expand}${days}${pick(['', '&precision=full'])}`;
}

describe('updated_after', () => {
  it(`keeps ${MIRRORS} mirrors equal to the store under random corrections`, async () => {
    const mirrors = Array.from({ length: MIRRORS }, () => {
      const path = somePath();
      return { path, ...createMirror(path) };
    });
    for (const event of storeEvents(random, EVENTS)) {
      await apply(database, event);
      await api.catchUp();
      for (const mirror of mirrors) if (random() < 0.1) await mirror.update();
    }
    let stored = 0;
    for (const mirror of mirrors) {
      await mirror.update();
      const { rows } = await get(mirror.path);
      expect([mirror.path, mirror.rows()]).toEqual([mirror.path, rows]);
      expect(
        (
          await get(
            `${mirror.path}&updated_after=${(await get(`${mirror.path}&updated_after=2000-01-01`)).knownAt}`,
          )
        ).rows,
      ).toEqual([]);
      stored += rows.length;
    }
    expect(stored).toBeGreaterThan(MIRRORS);
  }, 300_000);

  describe('reaches as far as a change does', () => {
    const store = (provider: string, ...texts: string[]) => {
      const rows = texts.map((text) => {
        const [date = '', pair = '', rate] = text.split(' ');
        const [base = '', quote = ''] = pair.split('/');
        return { date, base, quote, rate: Number(rate) };
      });
      return apply(database, { at: new Date(), kind: 'rows', provider, rows });
    };
    /** Whether a copy is complete after a change, which it must be told of. */
    const expectFollowed = async (path: string, change: () => Promise<void>) => {
      await api.catchUp();
      const mirror = createMirror(path);
      await mirror.update();
      const before = mirror.rows();
      await change();
      await api.catchUp();
      await mirror.update();
      const { rows } = await get(path);
      expect(mirror.rows()).toEqual(rows);
      expect(rows).not.toEqual(before);
    };

    // Of this bank only the dollar is blended: its other rates change no blend.
    it("in one bank's rates: over a bridge, and with the base from there", async () => {
      await store('CBTT', '2026-02-02 EUR/TTD 7.5', '2026-02-16 GBP/EUR 1.2', '2026-03-02 JPY/TTD 0.04');
      await expectFollowed('/v2/rates?providers=CBTT&base=GBP&from=2026-02-20&to=2026-03-10', () =>
        store('CBTT', '2026-02-02 EUR/TTD 7.6'),
      );
    });

    it("in one bank's rates: to days before it, whose bridge is not wanted any more", async () => {
      await expectFollowed('/v2/rates?providers=CBTT&base=TTD&from=2026-02-10&to=2026-02-28', () =>
        store('CBTT', '2026-03-20 GBP/TTD 9.1'),
      );
    });

    it('in a blend of some: to the days on which it is carried, and with the base from there', async () => {
      for (const provider of ['ECB', 'FRED', 'BOC']) await store(provider, '2025-06-02 EUR/USD 1.1');
      // Too far from the others to count among all of them.
      await store('NBU', '2025-06-02 EUR/USD 1.17');
      await store('ECB', '2025-06-16 EUR/USD 1.1', '2025-06-23 USD/JPY 150');
      await expectFollowed(
        '/v2/rates?providers=ECB,NBU&base=EUR&precision=full&from=2025-06-20&to=2025-07-10',
        () => store('NBU', '2025-06-02 EUR/USD 1.171'),
      );
    });
  });

  it('is refused where it makes no sense', async () => {
    const ask = async (query: string) => {
      const response = await fetch(`${api.url}/v2/rates?${query}`);
      return [response.status, ((await response.json()) as { message: string }).message];
    };
    expect(await ask('updated_after=2999-01-01')).toEqual([
      422,
      expect.stringContaining('updated_after is in the future'),
    ]);
    expect(await ask('updated_after=yesterday')).toEqual([
      422,
      expect.stringContaining('must be a date or an instant'),
    ]);
    expect(await ask('updated_after=2026-03-02&as_of=2026-03-01')).toEqual([
      422,
      'updated_after is later than as_of: use an earlier one',
    ]);
  });

  it('says in CSV too that a row is gone', async () => {
    await database.pool.query(
      'truncate rates, rate_revisions, blended_days, data_versions, suspects, suspect_states',
    );
    const row = { date: '2026-03-02', base: 'USD', quote: 'MWK' };
    const store = (rate: number) =>
      apply(database, { at: new Date(), kind: 'rows', provider: 'RBM', rows: [{ ...row, rate }] });
    await apply(database, {
      at: new Date(),
      kind: 'rows',
      provider: 'ECB',
      rows: [{ date: '2026-03-02', base: 'EUR', quote: 'USD', rate: 1.1 }],
    });
    await store(1734);
    await api.catchUp();
    const first = await fetch(`${api.url}/v2/rates.csv?base=USD&updated_after=2000-01-01`);
    expect(await first.text()).toContain('2026-03-02,USD,MWK,1734');
    const [held] = (
      await database.pool.query(
        'insert into suspects (provider, date, base, quote, rate, reason, expected, others) values ($1, $2, $3, $4, 1734, $5, 1, 1) returning id',
        ['RBM', row.date, row.base, row.quote, 'jump'],
      )
    ).rows;
    expect(held).toBeDefined();
    await inTransaction(database, async (transaction) => {
      await lockData(transaction);
      await resolveSuspect(transaction, String(held.id), 'rejected', 'test');
      await reblend(transaction, { from: row.date, to: row.date });
    });
    await api.catchUp();
    const since = first.headers.get('x-known-at');
    const csv = await (await fetch(`${api.url}/v2/rates.csv?base=USD&updated_after=${since}`)).text();
    expect(csv).toBe('date,base,quote,rate\n2026-03-02,USD,MWK,\n');
  });
});

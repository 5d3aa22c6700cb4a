import { describe, expect, it } from 'vitest';
import { openRoutes } from './in-process.js';

interface Row {
  date: string;
  rate: number;
  observed?: string;
}

const open = (rows: readonly string[], now: string) =>
  openRoutes({ recorded: [{ at: '2025-07-01T10:00:00Z', rows }], now });

describe('a currency that is retired', () => {
  const routes = open(
    [
      'ECB 2025-06-27 EUR/USD 1.2',
      'ECB 2025-06-30 EUR/USD 1.25',
      'ECB 2025-07-01 EUR/USD 1.3',
      'ECB 2025-07-04 EUR/USD 1.35',
    ],
    '2025-07-04T12:00:00Z',
  );
  const found = async (query: string) =>
    (await routes.json<Row[]>(`/v2/rates?${query}`)).map(({ date, rate, observed }) => [
      date,
      rate,
      ...(observed ? [observed] : []),
    ]);

  it('has no rates after its last day, in either direction', async () => {
    for (const pair of ['base=USD&quotes=ANG', 'base=ANG&quotes=USD']) {
      const rows = await found(`${pair}&from=2025-06-30&to=2025-07-04`);
      expect(rows.map(([date]) => date)).toEqual(['2025-06-30']);
      const newest = await found(`${pair}&date=2025-07-04`);
      expect(newest.map(([date]) => date)).toEqual(['2025-06-30']);
    }
    expect(await found('base=ANG&quotes=EUR&date=2025-07-04')).toEqual([['2025-06-30', 0.44693]]);
    expect(await found('base=ANG&from=2025-07-01&to=2025-07-04')).toEqual([]);
  });

  it('has no newest rates once its last day is two weeks old', async () => {
    const rows = ['ECB 2025-06-30 EUR/USD 1.25', 'ECB 2025-07-15 EUR/USD 1.3'];
    const later = open(rows, '2025-07-15T12:00:00Z');
    for (const pair of ['base=USD&quotes=ANG', 'base=ANG&quotes=USD', 'base=ANG&expand=providers']) {
      const { text, headers } = await later.ask(`/v2/rates?${pair}`);
      expect([text, headers['x-rates-as-of']]).toEqual(['[]', '2025-07-15']);
    }
    expect(await later.json('/v2/rates?base=USD&quotes=EUR')).toHaveLength(1);
  });

  it('is filled forward with its last rate, whose day is told', async () => {
    expect(await found('base=USD&quotes=ANG&from=2025-06-30&to=2025-07-02&fill=forward&fill_days=1')).toEqual(
      [
        ['2025-06-30', 1.79, '2025-06-30'],
        ['2025-07-01', 1.79, '2025-06-30'],
      ],
    );
    expect(await found('base=ANG&quotes=EUR&from=2025-07-01&to=2025-07-01&fill=forward')).toEqual([
      ['2025-07-01', 0.44693, '2025-06-30'],
    ]);
  });

  it('has conversions on its last days', async () => {
    const line = await routes.json<{ observed: string; rate: number }>(
      '/v2/convert/USD/ANG?amount=100&date=2025-07-04',
    );
    expect(line).toMatchObject({ observed: '2025-06-30', rate: 1.79 });
    expect((await routes.ask('/v2/convert/USD/ANG?amount=100&date=2025-07-20')).status).toBe(404);
  });
});

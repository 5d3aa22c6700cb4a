import { describe, expect, it } from 'vitest';
import { openRoutes } from './in-process.js';

const rows = [
  'ECB 2026-01-02 EUR/USD 1.1',
  'ECB 2026-01-16 EUR/CHF 0.9',
  'ECB 2026-02-02 EUR/USD 1.2',
  'BOC 2026-02-10 USD/CAD 1.4',
  'BOC 2026-02-17 USD/CAD 1.4',
];
const recorded = [{ at: '2026-02-17T16:00:00Z', rows }];
const now = '2026-02-20T23:58:20Z';
const routes = openRoutes({ recorded, now });
const tomorrow = openRoutes({ recorded, now: '2026-02-21T12:00:00Z' });
const more = openRoutes({
  recorded: [...recorded, { at: '2026-02-18T16:00:00Z', rows: [...rows, 'ECB 2026-02-18 EUR/USD 1.3'] }],
  now,
});

async function spanOf(query: string): Promise<[string | null, string | null]> {
  const { start_date, end_date } = await routes.json<{
    start_date: string | null;
    end_date: string | null;
  }>(`/v2/coverage?${query}`);
  return [start_date, end_date];
}

describe('the days on which there are rates', () => {
  it('are those on which a quote has a rate and the base a carried one', async () => {
    expect(await spanOf('quotes=USD')).toEqual(['2026-01-02', '2026-02-10']);
    expect(await spanOf('base=USD&quotes=EUR')).toEqual(['2026-01-02', '2026-02-02']);
    expect(await spanOf('base=USD&quotes=CAD,EUR')).toEqual(['2026-01-02', '2026-02-17']);
    expect(await spanOf('base=CHF&quotes=CAD')).toEqual([null, null]);
    // Fourteen days after the franc there is no rate but that of the dollar, as the pivot.
    expect(await spanOf('base=EUR&quotes=CAD')).toEqual(['2026-02-10', '2026-02-10']);
    expect(await spanOf('base=CAD&quotes=EUR')).toEqual([null, null]);
  });

  it('are not those of the row of the base, unless it alone is asked for', async () => {
    expect(await spanOf('base=USD&quotes=EUR,USD')).toEqual(['2026-01-02', '2026-02-02']);
    expect(await spanOf('base=USD&quotes=USD')).toEqual(['2026-01-02', '2026-02-17']);
    expect(await spanOf('providers=BOC&base=CAD')).toEqual(['2026-02-10', '2026-02-17']);
  });

  it('are those of one provider, or of the blend of some', async () => {
    expect(await spanOf('providers=ECB&quotes=USD')).toEqual(['2026-01-02', '2026-02-02']);
    expect(await spanOf('providers=ECB,NBU&base=USD')).toEqual(['2026-01-02', '2026-02-02']);
    expect(await spanOf('providers=BOC,NBU&base=USD')).toEqual(['2026-02-10', '2026-02-17']);
  });

  it('are none where there is nothing', async () => {
    expect(await spanOf('quotes=KPW')).toEqual([null, null]);
    expect(await spanOf('base=KPW')).toEqual([null, null]);
    expect(await spanOf('providers=IMF')).toEqual([null, null]);
    expect(await spanOf('providers=IMF,NBU')).toEqual([null, null]);
  });
});

describe('the reply with them', () => {
  it('repeats what was asked for', async () => {
    expect(await routes.json('/v2/coverage')).toMatchObject({ base: 'EUR', quotes: null, providers: null });
    expect(await routes.json('/v2/coverage?base=usd&quotes=eur,cad&providers=ecb')).toEqual({
      base: 'USD',
      quotes: ['EUR', 'CAD'],
      providers: ['ECB'],
      start_date: '2026-01-02',
      end_date: '2026-02-02',
    });
  });

  it('is moving, of its data version, with a tag for what it depends on', async () => {
    expect(await routes.ask('/v2/coverage')).toMatchObject({
      cacheControl: 'public, max-age=100, stale-while-revalidate=60, stale-if-error=86400',
      dataVersion: '1',
    });
    const tag = async (query: string, each = routes) => (await each.ask(`/v2/coverage${query}`)).tag;
    expect(await tag('?quotes=USD,CAD&providers=ECB,BOC')).toBe(
      await tag('?providers=ECB,BOC&quotes=USD,CAD&base=EUR'),
    );
    // The lists are shown in the order in which they were given.
    expect(await tag('?quotes=USD,CAD')).not.toBe(await tag('?quotes=CAD,USD'));
    const tags = [
      await tag(''),
      await tag('', tomorrow),
      await tag('', more),
      await tag('?base=USD'),
      await tag('?quotes=USD'),
      await tag('?quotes=CAD,USD'),
      await tag('?providers=ECB'),
      (await routes.ask('/v2/rates')).tag,
    ];
    expect(tags).not.toContain(undefined);
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('costs the whole history only where several providers are blended for it', async () => {
    const { cost } = openRoutes({ recorded, now });
    expect(await cost('/v2/coverage')).toEqual({ rows: 1, rawDays: 0 });
    expect(await cost('/v2/coverage?providers=ECB')).toEqual({ rows: 1, rawDays: 0 });
    expect(await cost('/v2/coverage?providers=ECB,BOC')).toEqual({
      rows: 1,
      rawDays: Number.POSITIVE_INFINITY,
    });
  });
});

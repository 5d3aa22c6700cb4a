import { describe, expect, it } from 'vitest';
import { createEventLoop } from '../../../../core/concurrency/event-loop.js';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { type BodyForm, bodyChunks } from '../../../../src/rates/sdmx/body.js';
import { csvForm } from '../../../../src/rates/sdmx/csv.js';
import { jsonForm } from '../../../../src/rates/sdmx/json.js';
import type { Series } from '../../../../src/rates/sdmx/series.js';
import { openSdmx } from './in-process.js';

const DAYS = 3_000;
const CONTEXT = {
  id: 'V1',
  prepared: '2026-03-17T16:02:11Z',
  hasObservations: true,
  hasAttributes: true,
  isHistory: false,
};
const currencies = ['CHF', 'GBP', 'JPY', 'NOK', 'SEK', 'USD'];

function* manySeries(): Generator<Series> {
  for (const currency of currencies) {
    yield {
      key: { frequency: 'D', currency, denominator: 'EUR', suffix: 'A' },
      days: Int32Array.from({ length: DAYS }, (_, index) => 15_000 + index),
      values: Float64Array.from({ length: DAYS }, (_, index) => 1 + index / 1_000),
      suspects: Uint8Array.from({ length: DAYS }, (_, index) => (index === 7 ? 1 : 0)),
    };
  }
}

async function chunksOf(form: BodyForm, yieldNow: () => Promise<void> | undefined) {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(form, manySeries, yieldNow)) chunks.push(chunk);
  return chunks;
}

describe('a long body', () => {
  it('is a stream, and a short one is not', async () => {
    const rows = Array.from({ length: DAYS }, (_, index) => fromDayNumber(15_000 + index)).flatMap((date) => [
      `ECB ${date} EUR/USD 1.25`,
      `ECB ${date} EUR/GBP 0.87`,
    ]);
    const { ask } = openSdmx({
      recorded: [{ at: '2026-03-17T16:02:11Z', rows }],
      now: '2026-03-20T12:00:00Z',
    });
    for (const [format, count] of [
      ['csvdata', '\n'],
      ['jsondata', '":[1.25,0]'],
      ['genericdata', '<g:Obs>'],
    ] as const) {
      const long = await ask(`/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?format=${format}`);
      expect(long).toMatchObject({ status: 200, isStream: format !== 'jsondata' });
      expect(long.text.split(count).length - 1).toBeGreaterThanOrEqual(DAYS);
    }
    const short = await ask('/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?format=csvdata&startPeriod=2019-01');
    expect(short.isStream).toBe(false);
  });

  it('lets others go first between its observations', async () => {
    let turns = 0;
    const chunks = await chunksOf(csvForm('csv', CONTEXT), () => {
      turns++;
      return undefined;
    });
    expect(turns).toBe(currencies.length * DAYS);
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).toString().trimEnd().split('\n')).toHaveLength(1 + currencies.length * DAYS);
  });

  it('of JSON has in its indices what its series have', async () => {
    const yieldNow = createEventLoop().createYielder('test');
    const form = await jsonForm('json', CONTEXT, { read: manySeries, yieldNow });
    const { data } = JSON.parse(Buffer.concat(await chunksOf(form, yieldNow)).toString());
    const { dimensions, attributes } = data.structure;
    const codes = dimensions.series.map(({ values }: { values: { id: string }[] }) =>
      values.map(({ id }) => id),
    );
    expect(codes).toEqual([['D'], currencies, ['EUR'], ['SP00'], ['A']]);
    const [dataSet] = data.dataSets;
    expect(Object.keys(dataSet.series)).toEqual(currencies.map((_, index) => `0:${index}:0:0:0`));
    const observations: Record<string, [number, number]> = dataSet.series['0:3:0:0:0'].observations;
    const [period] = dimensions.observation;
    expect(Object.entries(observations).map(([index, [value]]) => [period.values[index].id, value])).toEqual(
      Array.from({ length: DAYS }, (_, index) => [fromDayNumber(15_000 + index), 1 + index / 1_000]),
    );
    expect(attributes.observation[0].values.map(({ id }: { id: string }) => id)).toEqual(['A', 'U']);
    expect(observations[7]?.[1]).toBe(1);
  });

  it('without series throws before its first chunk', async () => {
    const form = csvForm('csv', CONTEXT);
    await expect(
      bodyChunks(
        form,
        () => [],
        () => undefined,
      ).next(),
    ).rejects.toMatchObject({ status: 404 });
  });
});

import { describe, expect, it } from 'vitest';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { type BodyForm, bodyChunks } from '../../../../src/rates/sdmx/body.js';
import { csvForm, jsonForm } from '../../../../src/rates/sdmx/forms.js';
import { Series } from '../../../../src/rates/sdmx/series.js';
import { openSdmx } from './in-process.js';

const DAYS = Int32Array.from({ length: 6_000 }, (_, index) => 14_000 + index);
const PREPARED = '2026-03-17T16:02:11Z';
const CONTENTS = { hasObservations: true, hasAttributes: true, isHistory: false };
const CONTEXT = { id: 'V1', prepared: PREPARED, ...CONTENTS };
const currencies = ['CHF', 'GBP', 'JPY', 'NOK', 'SEK', 'USD'];

function* manySeries(): Generator<Series> {
  const key = { FREQ: 'D', CURRENCY_DENOM: 'EUR', EXR_TYPE: 'SP00', EXR_SUFFIX: 'A' } as const;
  for (const CURRENCY of currencies) {
    const series = new Series({ ...key, CURRENCY });
    for (const [index, day] of DAYS.entries())
      series.append({ day, value: 1 + index / 1_000, isSuspect: index === 7 });
    yield series;
  }
}

async function chunksOf(form: BodyForm) {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyChunks(form, manySeries)) chunks.push(chunk);
  return { count: chunks.length, text: Buffer.concat(chunks).toString() };
}

describe('a long body', () => {
  const rows = [...DAYS]
    .map(fromDayNumber)
    .flatMap((date) => [`ECB ${date} EUR/USD 1.25`, `ECB ${date} EUR/GBP 0.87`]);
  const { ask } = openSdmx({ recorded: [{ at: PREPARED, rows }], now: '2026-03-20T12:00:00Z' });

  it.each([
    ['csvdata', '\n'],
    ['jsondata', '":[1.25,0]'],
    ['genericdata', '<g:Obs>'],
  ])('of %s is a stream, and a short one is not', async (format, separator) => {
    const target = `/sdmx/data/EXR/D.USD+GBP.EUR.SP00.A?format=${format}`;
    const { text, ...long } = await ask(target);
    expect(long).toMatchObject({ status: 200, isStream: true });
    expect(text.split(separator).length - 1).toBeGreaterThanOrEqual(DAYS.length);
    expect((await ask(`${target}&startPeriod=2024-01`)).isStream).toBe(false);
  });

  it('comes in chunks', async () => {
    const { count, text } = await chunksOf(csvForm('csv', CONTEXT));
    expect(count).toBeGreaterThan(2);
    expect(text.trimEnd().split('\n')).toHaveLength(1 + currencies.length * DAYS.length);
  });

  it('of JSON has in its indices what its series have', async () => {
    const form = await jsonForm('json', CONTEXT, manySeries);
    const { structure, dataSets } = JSON.parse((await chunksOf(form)).text).data;
    const idsOf = ({ values }: { values: { id: string }[] }) => values.map(({ id }) => id);
    const { series, observation } = structure.dimensions;
    expect(series.map(idsOf)).toEqual([['D'], currencies, ['EUR'], ['SP00'], ['A']]);
    const statuses = [{ id: 'A' }, { id: 'U', name: 'Low reliability' }];
    expect(structure.attributes.observation).toMatchObject([{ values: statuses }]);
    expect(Object.keys(dataSets[0].series)).toEqual(currencies.map((_, index) => `0:${index}:0:0:0`));
    const observations: Record<string, [number, number]> = dataSets[0].series['0:3:0:0:0'].observations;
    const periods = idsOf(observation[0]);
    const found = Object.entries(observations).map(([at, [value]]) => [periods[Number(at)], value]);
    expect(found).toEqual([...DAYS].map((day, index) => [fromDayNumber(day), 1 + index / 1_000]));
    expect(observations[7]?.[1]).toBe(1);
  });

  it('without series throws before its first chunk', async () => {
    await expect(bodyChunks(csvForm('csv', CONTEXT), () => []).next()).rejects.toMatchObject({ status: 404 });
  });
});

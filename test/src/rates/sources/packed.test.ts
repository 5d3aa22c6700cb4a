import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SUSPICION_REASONS } from '../../../../core/domain/blend/suspicion.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import { providerRows } from '../../../../src/rates/engine/rate-source.js';
import type { DateSelection } from '../../../../src/rates/snapshot/rows.js';
import { blendsOn } from '../../../../src/rates/sources/day-blends.js';
import { pickedOfficialRows } from '../../../../src/rates/sources/official.js';
import {
  type ProviderRates,
  providerRatesOf,
  unpackProviderRates,
} from '../../../../src/rates/sources/provider-rates.js';
import { sharesIn, sharesOf } from '../../../../src/rates/sources/shares.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { FIRST, type KnownRow, row, rowAt, TOMORROW, tableOf } from './in-memory.js';

/** As another thread gets it. */
const passedOn = <T>(packed: T): T => structuredClone(packed);

/** All arrays of numbers in plain data. */
function arraysIn(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysIn) : [];
}

const isShared = ({ buffer }: ArrayBufferView) => buffer instanceof SharedArrayBuffer;

const PAIRS = ['A EUR/USD 1', 'A EUR/JPY 1', 'A CHF/EUR 1', 'A USD/JPY 1', 'A GBP/CHF 1'];
const arbitraryRows = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...PAIRS),
      fc.nat(40),
      fc.integer({ min: 1, max: 400 }),
      fc.option(fc.constantFrom(...SUSPICION_REASONS), { nil: undefined, freq: 4 }),
    ),
    { selector: ([pair, at]) => `${pair} ${at}`, maxLength: 25, size: 'max' },
  )
  .map((figures) => figures.map(([pair, at, times, suspect]) => rowAt(pair, at, times / 8, suspect)));

describe("a provider's rates in another thread", () => {
  const DAYS = { form: 'range', from: FIRST - 9, to: FIRST + 60, period: 'day' } as const;
  const SELECTIONS: DateSelection[] = [
    ...[DAYS, { ...DAYS, fillDays: 5 }, { ...DAYS, period: 'week', stats: 'full' } as const],
    ...[{ form: 'newest' } as const, { form: 'date', ...onOrBefore(FIRST + 20) } as const],
  ];
  const answersOf = (rates: ProviderRates, base: string) => [
    ...[[...rates.days], rates.size, rates.official?.pivot, rates.official?.period],
    SELECTIONS.map((when) => {
      const { rows, ...rest } = providerRows(
        rates,
        { base, quotes: undefined, providers: ['A'], when },
        TOMORROW,
      );
      return [rest, [...rows]];
    }),
    rates.official && pickedOfficialRows(rates.official, { base, quotes: undefined }, onOrBefore(FIRST + 20)),
  ];

  it('give the same answers, with and without a common pivot, and where they are set for a period', () => {
    fc.assert(
      fc.property(
        arbitraryRows,
        fc.constantFrom('EUR', 'USD', 'CHF', 'GBP'),
        fc.constantFrom('EUR', null),
        fc.constantFrom(undefined, 'month' as const),
        (rows, base, pivot, period) => {
          const rates = providerRatesOf(tableOf(rows), pivot, period);
          const other = unpackProviderRates(passedOn(rates.packed));
          expect(answersOf(other, base)).toEqual(answersOf(rates, base));
        },
      ),
      propertyRuns(1_000),
    );
  });

  it.each(['EUR', null])('have their numbers in memory that both share (pivot: %s)', (pivot) => {
    const rows = [row('A 20500 EUR/USD 1.25'), row('A 20501 EUR/JPY 180'), row('A 20502 EUR/USD 1.5')];
    const { records: _, ...table } = tableOf(rows);
    const packed = providerRatesOf(table, pivot, undefined).packed;
    const arrays = arraysIn(packed);
    expect(arrays.length).toBeGreaterThanOrEqual(4);
    expect(arrays.every(isShared)).toBe(true);
    const [ours, theirs] = [packed, passedOn(packed)].map((each) => arraysIn(each)[0] as Int32Array);
    ours?.fill(7);
    expect(theirs?.[0]).toBe(7);
  });
});

describe('what blends are made of, in another thread', () => {
  const PROVIDERS = ['BOC', 'ECB', 'NBU'];
  const arbitraryBlended = arbitraryRows.chain((rows) =>
    fc
      .array(fc.constantFrom(...PROVIDERS), { minLength: rows.length, maxLength: rows.length })
      .map((keys) => rows.map((each, at): KnownRow => ({ ...each, provider: keys[at] ?? '' }))),
  );

  it('is the same', () => {
    fc.assert(
      fc.property(arbitraryBlended, (rows) => {
        const days = [...blendsOn(tableOf(rows), { from: FIRST, to: FIRST + 40 })];
        const own = sharesIn(days);
        const other = passedOn(own);
        for (const { day, blends, suspects } of days) {
          for (const quote of ['EUR', 'JPY', 'CHF', 'GBP', 'USD']) {
            const shares = sharesOf(other, day, quote);
            expect(shares).toEqual(sharesOf(own, day, quote));
            const { contributions, excluded } = blends.get(quote) ?? {};
            const counted = contributions?.map(({ provider, day: on, rate }) =>
              [provider, on, rate, excluded?.has(provider), undefined].join(),
            );
            const held = suspects.get(quote)?.map((each) => Object.values(each).join());
            const expected = counted && [...counted, ...(held ?? [])].sort();
            expect(shares?.map((each) => Object.values(each).join()).sort()).toEqual(expected);
          }
          expect(sharesOf(other, day + 100, 'EUR')).toBeUndefined();
        }
      }),
      propertyRuns(1_000),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import { addDays, daysBetween, isoWeekday } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { keyDay, ruleOn, ruleSchema, rules, unavailableRules } from '../../../core/domain/rules.js';

const dates = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days));
const month = (date: string) => date.slice(0, 7);

describe('the rules that ship', () => {
  it('are of providers that there are, and of currencies', () => {
    for (const { id, source, examples } of rules) {
      expect(providerOf(source), id).toBeDefined();
      for (const { base, quote } of examples.map(({ input }) => input)) {
        expect([base, quote].every(isCurrency), id).toBe(true);
      }
    }
  });

  it('have a key day, but for means', () => {
    for (const { id, day, pick } of rules) expect(day === null, id).toBe(pick === 'mean');
  });

  it('say which rates are those of a period as the providers do', () => {
    for (const { id, source, pick } of rules) {
      expect(providerOf(source)?.period !== undefined, id).toBe(pick === 'valid');
    }
  });

  it('follow each other without days of two texts', () => {
    rules.forEach(({ id, until }, at) => {
      const next = rules[at + 1];
      if (next?.id === id) expect(until !== null && until < (next.since ?? ''), id).toBe(true);
    });
  });

  it('are none of those that can not be followed', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(unavailableRules.filter(({ id }) => ids.has(id))).toEqual([]);
    expect(unavailableRules.map(({ id }) => id)).toEqual(['ch-vat', 'de-vat', 'us-customs']);
  });

  it.each([
    { id: 'EU VAT' },
    { day: 'next' },
    { pick: 'newest' },
    { since: '2026-02-30' },
    { examples: [] },
    { unknown: 1 },
  ])('are no rules with %j', (changed) => {
    const [rule] = rules;
    expect([
      ruleSchema.safeParse(rule).success,
      ruleSchema.safeParse({ ...rule, ...changed }).success,
    ]).toEqual([true, false]);
  });

  it('are found by the day', () => {
    expect(ruleOn('eu-customs', '2016-04-30')).toBeUndefined();
    expect(ruleOn('eu-customs', '2016-05-01')?.source).toBe('ECB');
    expect(ruleOn('pl-vat', '1999-01-01')?.source).toBe('NBP');
    expect(ruleOn('de-vat', '2026-03-05')).toBeUndefined();
  });
});

describe('the key day', () => {
  it('is the day itself', () => {
    fc.assert(fc.property(dates, (date) => keyDay('same', date) === date));
  });

  it('is the last day of the month', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const day = keyDay('month-end', date);
        expect(month(day)).toBe(month(date));
        expect(month(addDays(day, 1))).not.toBe(month(date));
      }),
    );
  });

  it('is the last day of the quarter', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const day = keyDay('quarter-end', date);
        expect(daysBetween(date, day)).toBeGreaterThanOrEqual(0);
        expect(daysBetween(date, day)).toBeLessThan(92);
        expect(['03-31', '06-30', '09-30', '12-31']).toContain(day.slice(5));
      }),
    );
  });

  it('is the last but one Wednesday of the month before', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const day = keyDay('penultimate-wednesday', date);
        const before = addDays(`${month(date)}-01`, -1);
        expect(isoWeekday(day)).toBe(3);
        expect([0, 7, 14].map((days) => month(addDays(day, days)) === month(before))).toEqual([
          true,
          true,
          false,
        ]);
      }),
    );
    expect(keyDay('penultimate-wednesday', '2026-03-10')).toBe('2026-02-18');
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCurrency } from '../../../core/domain/currencies.js';
import { addDays, daysBetween, isoWeekday } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import {
  availableRules,
  keyDay,
  ruleOn,
  rules,
  storedRule,
  unavailableRules,
} from '../../../core/domain/rules.js';

const month = (date: string) => date.slice(0, 7);

it('the rules that ship are of providers and currencies, have a key day but for means, and periods as their providers do', () => {
  const shipped = availableRules();
  for (const [at, { id, source, examples, day, pick, until }] of shipped.entries()) {
    const provider = providerOf(source) ?? expect.fail(id);
    expect(examples.length, id).toBeGreaterThan(0);
    const codes = examples.flatMap(({ input: { base, quote } }) => [base, quote]);
    expect(
      codes.filter((code) => !isCurrency(code)),
      id,
    ).toEqual([]);
    expect(day === null, id).toBe(pick === 'mean');
    expect(provider.period !== undefined, id).toBe(pick === 'valid');
    // No day has two texts.
    const next = shipped[at + 1];
    if (next?.id === id) expect(until !== null && until < (next.since ?? ''), id).toBe(true);
  }
});

it('the rules that ship are none of those that can not be followed', () => {
  const ids = new Set(availableRules().map(({ id }) => id));
  expect(unavailableRules().map(({ id }) => id)).toEqual(['de-vat', 'us-customs']);
  expect(unavailableRules().filter(({ id }) => ids.has(id))).toEqual([]);
});

it('the rule of the EU names the rules of states that have the rate of the ECB for VAT', () => {
  const { note } = ruleOn('eu-vat', '2026-01-01') ?? expect.fail();
  const ofStates = rules.filter(
    ({ source, use, jurisdiction }) => source === 'ECB' && use.startsWith('VAT') && jurisdiction !== 'EU',
  );
  const countries = new Intl.DisplayNames('en', { type: 'region' });
  const named = ofStates.map(({ id, jurisdiction }) => `${id} (${countries.of(jurisdiction)})`);
  expect(note).toContain(`by a state's own law: ${named.join(', ')}. In all other`);
});

it.each([
  [{}, true],
  [{ id: 'EU VAT' }, false],
  [{ day: 'next' }, false],
  [{ pick: 'newest' }, false],
  [{ since: '2026-02-30' }, false],
  [{ unknown: 1 }, false],
])('the rules that ship with %j are rules: %s', (changed, isRule) => {
  expect(storedRule.safeParse({ ...rules[0], ...changed }).success).toBe(isRule);
});

it.each([
  ['eu-customs', '2016-04-30', undefined],
  ['eu-customs', '2016-05-01', 'ECB'],
  ['pl-vat', '1999-01-01', 'NBP'],
  ['de-foo', '2026-03-05', undefined],
])('the rules that ship are found by the day: %s on %s', (id, day, source) =>
  expect(ruleOn(id, day)?.source).toBe(source),
);

it('the key day is the day itself, the last one of the month or quarter, or the last Wednesday but one before', () => {
  expect(keyDay('penultimate-wednesday', '2026-03-10')).toBe('2026-02-18');
  fc.assert(
    fc.property(fc.nat(40_000), (days) => {
      const date = addDays('1990-01-01', days);
      expect(keyDay('same', date)).toBe(date);
      const monthEnd = keyDay('month-end', date);
      expect([month(monthEnd), addDays(monthEnd, 1).slice(8)]).toEqual([month(date), '01']);
      const quarterEnd = keyDay('quarter-end', date);
      const distance = daysBetween(date, quarterEnd);
      expect(distance >= 0 && distance < 92).toBe(true);
      expect(['03-31', '06-30', '09-30', '12-31']).toContain(quarterEnd.slice(5));
      const wednesday = keyDay('penultimate-wednesday', date);
      const before = month(addDays(`${month(date)}-01`, -1));
      expect(isoWeekday(wednesday)).toBe(3);
      const weeks = [0, 7, 14].map((more) => month(addDays(wednesday, more)) === before);
      expect(weeks).toEqual([true, true, false]);
    }),
  );
});

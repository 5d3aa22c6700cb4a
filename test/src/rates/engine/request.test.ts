import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { isBlended, providers } from '../../../../core/domain/providers.js';
import { HttpError } from '../../../../src/http/errors.js';
import {
  clockAt,
  costOf,
  isClosed,
  isOfficial,
  needsSources,
  readsRawRows,
  resolveRequest,
} from '../../../../src/rates/engine/request.js';
import { onOrBefore } from '../../../../src/rates/snapshot/day-pick.js';
import type { DateSelection } from '../../../../src/rates/snapshot/rows.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
const TODAY = dayNumber('2026-03-20');

const EVERY_KEY = providers.map(({ key }) => key).filter(isBlended);

type Query = Parameters<typeof resolveRequest>[0];
const query = (given: object) => given as Query;
const read = (given: object) => resolveRequest(query(given), clock);

function faults(given: object): string[] {
  try {
    read(given);
  } catch (error) {
    if (error instanceof HttpError) {
      expect(error.status).toBe(422);
      return error.parameters.map(({ parameter, message }) => `${parameter}: ${message}`);
    }
    throw error;
  }
  return [];
}

const TO_ALONE = 'to: to needs from: add the first day, or use date=2026-03-01 for one day';

describe('a request for rates', () => {
  it('is for the newest of the euro where nothing is said', () => {
    expect(read({})).toEqual({
      base: 'EUR',
      quotes: undefined,
      providers: undefined,
      expand: [],
      precision: 'display',
      receipt: false,
      when: { form: 'newest' },
      asOf: undefined,
      updatedAfter: undefined,
    });
    expect(read({ quotes: [], providers: [] })).toMatchObject({ quotes: undefined, providers: undefined });
  });

  it('is the same whatever order lists are in', () => {
    const given = { quotes: ['USD', 'CHF'], providers: ['NB', 'ECB'], expand: ['quality', 'providers'] };
    expect(read(given)).toMatchObject({
      quotes: ['CHF', 'USD'],
      providers: ['ECB', 'NB'],
      expand: ['providers', 'quality'],
    });
    expect(given.quotes).toEqual(['USD', 'CHF']);
  });

  it('is for a day or a range, which ends today where no end is given', () => {
    const from = dayNumber('2026-03-02');
    expect(read({ date: '2026-03-02' }).when).toEqual({ form: 'date', ...onOrBefore(from) });
    expect(read({ from: '2026-03-02' }).when).toEqual({ form: 'range', from, to: TODAY, period: 'day' });
    expect(read({ from: '2026-03-02', to: '2026-03-03', group: 'week' }).when).toEqual({
      form: 'range',
      from,
      to: from + 1,
      period: 'week',
    });
    expect(read({ from: '2026-03-02', fill: 'forward' }).when).toMatchObject({ fillDays: 14 });
    expect(read({ from: '2026-03-02', fill: 'forward', fill_days: 3 }).when).toMatchObject({ fillDays: 3 });
  });

  it('without some sources is for the blend of all others, but for those that are never blended', () => {
    const { providers: kept = [] } = read({ exclude: ['NBU', 'ECB'] });
    expect(kept).toEqual(EVERY_KEY.filter((key) => key !== 'ECB' && key !== 'NBU').sort());
    expect(kept).not.toContain('HMRC');
  });

  it('ends on the day of the instant at which rates were known', () => {
    const asOf = Date.parse('2026-03-05T16:00:00Z');
    const { when } = read({ from: '2026-03-02', as_of: asOf });
    expect(when).toMatchObject({ to: dayNumber('2026-03-05') });
    const changed = read({ from: '2026-03-02', updated_after: asOf });
    expect(changed.when).toMatchObject({ to: TODAY });
    expect(changed.updatedAfter).toEqual({ instant: asOf, when });
    expect(clockAt(asOf, clock)()).toEqual(new Date(asOf));
    expect(clockAt(undefined, clock)).toBe(clock);
  });

  it.each([
    [{ date: '2026-03-02', from: '2026-03-01' }, ['date: date is one day: use either date, or from and to']],
    [{ date: '2026-03-02', to: '2026-03-01' }, ['date: date is one day: use either date, or from and to']],
    [{ to: '2026-03-01' }, [TO_ALONE]],
    [{ group: 'week' }, ['group: group needs from: add the first day of the range']],
    [{ fill: 'forward' }, ['fill: fill needs from: add the first day of the range']],
    [
      { from: '2026-03-01', fill: 'forward', group: 'week' },
      ['fill: fill is for days: use either fill or group'],
    ],
    [{ from: '2026-03-01', fill_days: 3 }, ['fill_days: fill_days needs fill=forward: add it']],
    [
      { from: '2026-03-01', expand: ['stats'] },
      ['expand: expand=stats needs group: add a period such as group=month'],
    ],
    [
      { as_of: 1_000, updated_after: 1_001 },
      ['updated_after: updated_after is later than as_of: use an earlier one'],
    ],
    [{ from: '2026-03-02', to: '2026-03-01' }, ['from: from is after to: use from=2026-03-01&to=2026-03-02']],
    [
      { to: '2026-03-01', group: 'week' },
      [TO_ALONE, 'group: group needs from: add the first day of the range'],
    ],
    [
      { providers: ['ECB', 'HMRC'], from: '2026-03-01', group: 'week' },
      [
        'providers: providers of official rates are not blended: name one of them alone',
        'group: group is not for official rates: they have no means',
      ],
    ],
    [
      { providers: ['HMRC'], from: '2026-03-01', fill: 'forward' },
      ['fill: fill is not for official rates: they are valid on all days of their period'],
    ],
    [{ providers: ['HMRC'], from: '2026-03-01' }, []],
    [{ providers: ['ECB', 'BOC'], from: '2026-03-01', group: 'week' }, []],
    [{ from: '2026-03-01', to: '2026-03-01' }, []],
    [
      { exclude: ['ECB'], providers: ['BOC'] },
      ['exclude: exclude is for the blend of all: use either exclude or providers'],
    ],
    [
      { exclude: EVERY_KEY },
      ['exclude: exclude leaves fewer than two sources: exclude fewer, or name one with providers'],
    ],
    [
      { exclude: EVERY_KEY.slice(1) },
      ['exclude: exclude leaves fewer than two sources: exclude fewer, or name one with providers'],
    ],
    [{ exclude: EVERY_KEY.slice(2) }, []],
    [{ as_of: 1_000, updated_after: 1_000 }, []],
    [{ from: '2026-03-01', group: 'week', expand: ['stats'] }, []],
  ])('that can not be combined names each parameter: %j', (given, expected) => {
    expect(faults(given)).toEqual(expected);
  });

  it('names all faults in its message', () => {
    expect(() => read({ to: '2026-03-01', group: 'week' })).toThrow(
      /^to needs from: [^;]*; group needs from: /,
    );
  });
});

describe('a request', () => {
  it('is official where its provider sets rates for a period', () => {
    expect(
      [['HMRC'], ['ECB', 'HMRC'], ['ECB'], [], undefined].map((providers) => isOfficial({ providers })),
    ).toEqual([true, true, false, false, false]);
  });

  it('needs sources for these and for what follows from them', () => {
    expect([needsSources([]), needsSources(['stats']), needsSources(['stats', 'quality'])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('reads raw rows of its own for the blend of some, the past, and sources of other days than the newest', () => {
    const ask = (given: object) => readsRawRows(read(given));
    const date = '2026-03-20';
    for (const given of [
      {},
      { date },
      { providers: ['ECB'], date, expand: ['providers'] },
      { expand: ['providers'] },
      { expand: ['receipt'] },
      { from: date, group: 'week', expand: ['stats'] },
    ])
      expect(ask(given)).toBe(false);
    for (const given of [
      { providers: ['BOC', 'ECB'] },
      { expand: ['providers'], date },
      { expand: ['receipt'], date },
      { as_of: 1_000 },
      { updated_after: 1_000 },
    ])
      expect(ask(given)).toBe(true);
  });

  it('has statistics in its own precision', () => {
    const stats = (given: object) => {
      const { when } = read({ from: '2026-03-01', group: 'week', ...given });
      return 'stats' in when ? when.stats : undefined;
    };
    expect(stats({})).toBeUndefined();
    expect(stats({ expand: ['providers'] })).toBeUndefined();
    expect(stats({ expand: ['stats'] })).toBe('display');
    expect(stats({ expand: ['stats'], precision: 'full' })).toBe('full');
  });

  it('is closed where all its days are over, those of its last period too', () => {
    const closed = (when: DateSelection) => isClosed({ ...read({}), when }, TODAY);
    expect(closed({ form: 'newest' })).toBe(false);
    expect([TODAY - 1, TODAY].map((day) => closed({ form: 'date', ...onOrBefore(day) }))).toEqual([
      true,
      false,
    ]);
    const until = (to: number, period: 'day' | 'week' | 'month') =>
      closed({ form: 'range', from: TODAY - 100, to, period });
    expect([until(TODAY - 1, 'day'), until(TODAY, 'day')]).toEqual([true, false]);
    // Today is a Friday.
    expect([until(TODAY - 5, 'week'), until(TODAY - 4, 'week')]).toEqual([true, false]);
    expect([until(TODAY - 20, 'month'), until(TODAY - 19, 'month')]).toEqual([true, false]);
  });
});

describe('the cost of a request', () => {
  const cost = (given: object) => costOf(read(given));

  it('is that of its rows: days or periods times currencies, more with details', () => {
    expect(cost({})).toEqual({ rows: 180, rawDays: 0 });
    expect(cost({ quotes: ['USD', 'CHF'] })).toEqual({ rows: 2, rawDays: 0 });
    expect(cost({ quotes: [] }).rows).toBe(180);
    expect(cost({ quotes: ['USD'], from: '2026-03-11' }).rows).toBe(10);
    expect(cost({ quotes: ['USD'], from: '2026-03-11', to: '2026-03-15' }).rows).toBe(5);
    expect(cost({ quotes: ['USD'], from: '2026-03-01', to: '2026-03-14', group: 'week' }).rows).toBe(2);
    expect(cost({ quotes: ['USD'], from: '2025-01-01', to: '2025-12-31', group: 'year' }).rows).toBe(1);
    expect(cost({ quotes: ['USD'], from: '2025-01-01', to: '2025-03-01', group: 'month' }).rows).toBe(2);
    expect(cost({ quotes: ['USD'], from: '2025-01-01', to: '2025-07-01', group: 'quarter' }).rows).toBe(2);
    expect(cost({ quotes: ['USD'], from: '1999-01-01', group: 'range' }).rows).toBe(1);
    expect(cost({ quotes: ['USD'], expand: ['quality'] }).rows).toBe(12);
  });

  it('is that of the days whose raw rows are read for it, with twice fourteen before', () => {
    const raw = (given: object) => cost(given).rawDays;
    expect(raw({ as_of: 1_000 })).toBe(29);
    expect(raw({ updated_after: 1_000 })).toBe(29);
    expect(raw({ providers: ['ECB', 'BOC'] })).toBe(29);
    expect(raw({ expand: ['providers'], date: '2026-03-11' })).toBe(29);
    expect(raw({ expand: ['providers'], from: '2026-03-11' })).toBe(38);
    for (const given of [
      { providers: ['ECB'], expand: ['providers'] },
      { providers: ['ECB'] },
      // The newest ones are shared.
      { expand: ['providers'] },
      { from: '2026-03-11' },
    ]) {
      expect(raw(given)).toBe(0);
    }
  });
});

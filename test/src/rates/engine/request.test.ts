import { describe, expect, it } from 'vitest';
import { dayNumber } from '../../../../core/domain/dates.js';
import { onOrBefore } from '../../../../core/domain/day-pick.js';
import { BLEND_METHOD, isBlended, providers } from '../../../../core/domain/providers.js';
import { bytesOf } from '../../../../src/http/admission.js';
import { entityTag } from '../../../../src/http/reply.js';
import { identityOf, METHOD_HEADERS } from '../../../../src/rates/engine/ask.js';
import {
  clockAt,
  costOf,
  isClosed,
  isOfficial,
  needsSources,
  type ResolvedRequest,
  readsRawRows,
  resolveRequest,
} from '../../../../src/rates/engine/request.js';
import type { DateSelection } from '../../../../src/rates/snapshot/rows.js';

const clock = () => new Date('2026-03-20T12:00:00Z');
const TODAY = dayNumber('2026-03-20');
const EVERY_KEY = providers.map(({ key }) => key).filter(isBlended);

type Query = Parameters<typeof resolveRequest>[0];
const read = (given: object) => resolveRequest(given as Query, clock);

describe('a request for rates', () => {
  it('is for the newest of the euro where nothing is said', () => {
    const absent = { quotes: undefined, providers: undefined, asOf: undefined, updatedAfter: undefined };
    const usual = { base: 'EUR', expand: [], precision: 'display', receipt: false, when: { form: 'newest' } };
    expect(read({})).toEqual({ ...usual, ...absent });
    expect(read({ quotes: [], providers: [] })).toMatchObject({ quotes: undefined, providers: undefined });
  });

  it('is the same whatever order lists are in', () => {
    const given = { quotes: ['USD', 'CHF'], providers: ['NB', 'ECB'], expand: ['quality', 'providers'] };
    const sorted = { quotes: ['CHF', 'USD'], providers: ['ECB', 'NB'], expand: ['providers', 'quality'] };
    expect(read(given)).toMatchObject(sorted);
    expect(given.quotes).toEqual(['USD', 'CHF']);
  });

  const from = dayNumber('2026-03-02');
  const at = Date.parse('2026-03-05T16:00:00Z');
  const until = (to: number, more = {}) => ({ form: 'range', from, to, period: 'day', ...more });
  it.each([
    [{ date: '2026-03-02' }, { form: 'date', ...onOrBefore(from) }],
    // It ends today where no end is given, or on the day of the instant at which rates were known.
    [{ from: '2026-03-02' }, until(TODAY)],
    [{ from: '2026-03-02', as_of: at }, until(from + 3)],
    [{ from: '2026-03-02', updated_after: at }, until(TODAY)],
    [{ from: '2026-03-02', to: '2026-03-03', group: 'week' }, until(from + 1, { period: 'week' })],
    [{ from: '2026-03-02', fill: 'forward' }, until(TODAY, { fillDays: 14 })],
    [{ from: '2026-03-02', fill: 'forward', fill_days: 3 }, until(TODAY, { fillDays: 3 })],
  ])('is for a day or a range: %j', (given, when) => {
    expect(read(given).when).toEqual(when);
  });

  it('may be for what changed after an instant, by a clock of its own', () => {
    const { updatedAfter } = read({ from: '2026-03-02', updated_after: at });
    expect(updatedAfter).toEqual({ instant: at, when: read({ from: '2026-03-02', as_of: at }).when });
    expect(clockAt(at, clock)()).toEqual(new Date(at));
    expect(clockAt(undefined, clock)).toBe(clock);
  });

  it('without some sources is for the blend of all others, but for those that are never blended', () => {
    const { providers: kept = [] } = read({ exclude: ['NBU', 'ECB'] });
    expect(kept).toEqual(EVERY_KEY.filter((key) => key !== 'ECB' && key !== 'NBU').sort());
    expect(kept).not.toContain('HMRC');
  });

  const ONE_DAY = 'date: date is one day: use either date, or from and to';
  const TO_ALONE = 'to: to needs from: add the first day, or use date=2026-03-01 for one day';
  const GROUP_ALONE = 'group: group needs from: add the first day of the range';
  const NO_MEANS = 'group: group is not for official rates: they have no means';
  const TOO_FEW = 'exclude: exclude leaves fewer than two sources: exclude fewer, or name one with providers';
  const TOO_LATE = 'updated_after: updated_after is later than as_of: use an earlier one';
  const NO_BLEND = 'providers: providers of official rates are not blended: name one of them alone';
  const NO_FILL = 'fill: fill is not for official rates: they are valid on all days of their period';
  const OF_ALL = 'exclude: exclude is for the blend of all: use either exclude or providers';
  const FROM = { from: '2026-03-01' };

  it.each<[given: object, faults: string[]]>([
    [{ date: '2026-03-02', from: '2026-03-01' }, [ONE_DAY]],
    [{ date: '2026-03-02', to: '2026-03-01' }, [ONE_DAY]],
    [{ to: '2026-03-01' }, [TO_ALONE]],
    [{ group: 'week' }, [GROUP_ALONE]],
    [{ to: '2026-03-01', group: 'week' }, [TO_ALONE, GROUP_ALONE]],
    [{ fill: 'forward' }, ['fill: fill needs from: add the first day of the range']],
    [{ ...FROM, fill: 'forward', group: 'week' }, ['fill: fill is for days: use either fill or group']],
    [{ ...FROM, fill_days: 3 }, ['fill_days: fill_days needs fill=forward: add it']],
    [{ ...FROM, expand: ['stats'] }, ['expand: expand=stats needs group: add a period such as group=month']],
    [{ ...FROM, group: 'week', expand: ['stats'] }, []],
    [{ as_of: 1_000, updated_after: 1_001 }, [TOO_LATE]],
    [{ as_of: 1_000, updated_after: 1_000 }, []],
    [{ from: '2026-03-02', to: '2026-03-01' }, ['from: from is after to: use from=2026-03-01&to=2026-03-02']],
    [{ ...FROM, to: '2026-03-01' }, []],
    [{ ...FROM, providers: ['ECB', 'HMRC'], group: 'week' }, [NO_BLEND, NO_MEANS]],
    [{ ...FROM, providers: ['HMRC'], fill: 'forward' }, [NO_FILL]],
    [{ ...FROM, providers: ['HMRC'] }, []],
    [{ ...FROM, providers: ['ECB', 'BOC'], group: 'week' }, []],
    [{ exclude: ['ECB'], providers: ['BOC'] }, [OF_ALL]],
    [{ exclude: EVERY_KEY }, [TOO_FEW]],
    [{ exclude: EVERY_KEY.slice(1) }, [TOO_FEW]],
    [{ exclude: EVERY_KEY.slice(2) }, []],
  ])('names each parameter that can not be combined, and all of them in its message: %j', (given, texts) => {
    const faults = texts.map((text) => {
      const [parameter = '', ...message] = text.split(': ');
      return { parameter, message: message.join(': ') };
    });
    if (faults.length === 0) expect(() => read(given)).not.toThrow();
    else {
      const message = faults.map(({ message }) => message).join('; ');
      const parameters = faults.map((fault) => expect.objectContaining(fault));
      expect(() => read(given)).toThrow(expect.objectContaining({ status: 422, message, parameters }));
    }
  });
});

describe('a request', () => {
  it('is official where its provider sets rates for a period', () => {
    const given = [['HMRC'], ['ECB', 'HMRC'], ['ECB'], [], undefined];
    expect(given.map((providers) => isOfficial({ providers }))).toEqual([true, true, false, false, false]);
  });

  it('needs sources for these and for what follows from them', () => {
    const given = [[], ['stats'], ['stats', 'quality']] as const;
    expect(given.map((expand) => needsSources([...expand]))).toEqual([false, false, true]);
  });

  it.each<[given: object, stats: string | undefined]>([
    [{}, undefined],
    [{ expand: ['providers'] }, undefined],
    [{ expand: ['stats'] }, 'display'],
    [{ expand: ['stats'], precision: 'full' }, 'full'],
  ])('has statistics in its own precision: %j', (given, stats) => {
    const { when } = read({ from: '2026-03-01', group: 'week', ...given });
    expect('stats' in when ? when.stats : undefined).toBe(stats);
  });

  const until = (to: number, period: 'day' | 'week' | 'month'): DateSelection => {
    return { form: 'range', from: TODAY - 100, to, period };
  };
  it.each<[when: DateSelection, closed: boolean]>([
    [{ form: 'newest' }, false],
    [{ form: 'date', ...onOrBefore(TODAY - 1) }, true],
    [{ form: 'date', ...onOrBefore(TODAY) }, false],
    [until(TODAY - 1, 'day'), true],
    [until(TODAY, 'day'), false],
    // Today is a Friday.
    [until(TODAY - 5, 'week'), true],
    [until(TODAY - 4, 'week'), false],
    [until(TODAY - 20, 'month'), true],
    [until(TODAY - 19, 'month'), false],
  ])('is closed where all its days are over, those of its last period too: %j: %s', (when, closed) => {
    expect(isClosed({ ...read({}), when }, TODAY)).toBe(closed);
  });
});

describe('the cost of a request', () => {
  const USD = { quotes: ['USD'] };
  it.each<[given: object, rows: number]>([
    [{}, 180],
    [{ quotes: ['USD', 'CHF'] }, 2],
    [{ quotes: [] }, 180],
    [{ ...USD, from: '2026-03-11' }, 10],
    [{ ...USD, from: '2026-03-11', to: '2026-03-15' }, 5],
    [{ ...USD, from: '2026-03-01', to: '2026-03-14', group: 'week' }, 2],
    [{ ...USD, from: '2025-01-01', to: '2025-12-31', group: 'year' }, 1],
    [{ ...USD, from: '2025-01-01', to: '2025-03-01', group: 'month' }, 2],
    [{ ...USD, from: '2025-01-01', to: '2025-07-01', group: 'quarter' }, 2],
    [{ ...USD, from: '1999-01-01', group: 'range' }, 1],
    // Details cost more.
    [{ ...USD, expand: ['quality'] }, 12],
  ])('is that of its rows, days or periods times currencies: %j: %i', (given, rows) => {
    expect(costOf(read(given)).rows).toBe(rows);
  });

  it.each<[given: object, rawDays: number]>([
    [{}, 0],
    [{ date: '2026-03-11' }, 0],
    [{ as_of: 1_000 }, 29],
    [{ updated_after: 1_000 }, 29],
    [{ providers: ['ECB', 'BOC'] }, 29],
    [{ expand: ['providers'], date: '2026-03-11' }, 29],
    [{ expand: ['receipt'], date: '2026-03-11' }, 29],
    [{ expand: ['providers'], from: '2026-03-11' }, 38],
    [{ providers: ['ECB'], expand: ['providers'], date: '2026-03-11' }, 0],
    [{ providers: ['ECB'] }, 0],
    // The newest ones are shared.
    [{ expand: ['providers'] }, 0],
    [{ expand: ['receipt'] }, 0],
    [{ from: '2026-03-11', group: 'week', expand: ['stats'] }, 0],
  ])('is that of the days whose raw rows are read, with twice fourteen before: %j: %i', (given, rawDays) => {
    const request = read(given);
    expect([costOf(request).rawDays, readsRawRows(request)]).toEqual([rawDays, rawDays > 0]);
  });
});

const identity = (request: ResolvedRequest, layout: object = { format: 'json' }, name = '1', today = TODAY) =>
  identityOf({ request, layout }, name, today);

/** Of each field of a resolved request another value; a field without one does not compile. */
const OTHER: { [Field in keyof Required<ResolvedRequest>]: ResolvedRequest[Field] } = {
  base: 'USD',
  quotes: ['CHF'],
  providers: ['BOC', 'ECB'],
  side: 'sell',
  expand: ['quality'],
  receipt: true,
  precision: 'full',
  when: { form: 'range', from: TODAY - 9, to: TODAY, period: 'day' },
  asOf: 1_000,
  updatedAfter: { instant: 1_000, when: { form: 'newest' } },
};
/** Those that change how digits are written, or which column is read, take nothing. */
const FREE = new Set(['base', 'side', 'precision']);

describe('the identity of an answer', () => {
  const plain = read({});

  it.each(Object.keys(OTHER) as (keyof ResolvedRequest)[])('and its cost have the field %s', (field) => {
    const other = { ...plain, [field]: OTHER[field] };
    expect(identity(other)).not.toBe(identity(plain));
    const [one, another] = [plain, other].map((request) => bytesOf(costOf(request)));
    expect(one === another).toBe(FREE.has(field));
  });

  it('has every field that there is, and one that is still to come', () => {
    expect(new Set(Object.keys(OTHER))).toEqual(new Set(Object.keys(plain)));
    expect(identity({ ...plain, ...{ toCome: 1 } })).not.toBe(identity(plain));
  });

  it('has the software, its method, what is known, the layout and the request, and the day while that matters', () => {
    const text = JSON.stringify([{ format: 'json' }, plain]);
    expect(identity(plain)).toBe(entityTag(BLEND_METHOD, '1', TODAY, text));
    const [closed, proven] = [{}, { expand: ['receipt' as const] }].map((more) =>
      read({ date: '2026-03-19', ...more }),
    );
    const isOfToday = (request: ResolvedRequest | undefined) =>
      request && identity(request, {}, '1', TODAY + 1) !== identity(request, {});
    expect([plain, closed, proven].map(isOfToday)).toEqual([true, false, true]);
    expect(METHOD_HEADERS).toEqual(['x-blend-method', String(BLEND_METHOD)]);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type CalendarDate, eachDay } from '../../../core/domain/dates.js';
import { chartMarks } from '../../../src/pages/chart-section.js';
import { readerOf } from '../../../src/pages/reader.js';
import {
  BLEND,
  deviationsOf,
  figuresOf,
  hasBand,
  quantileOf,
  rangeOf,
} from '../../../src/pages/shared/figures.js';
import { createFormats } from '../../../src/pages/shared/format.js';
import { gapsIn, lineChart, pointsOf, SIZE } from '../../../src/pages/shared/line-chart.js';
import { type Scale, spansSince } from '../../../src/pages/shared/requests.js';
import type { RateRow } from '../../../src/pages/shared/rows.js';
import { levelsOf, ticksOf } from '../../../src/pages/shared/ticks.js';
import { propertyRuns } from '../../support/property-runs.js';
import { breaking } from './support.js';

/** The row of a day, with what sources said of it, such as `CBN 2026-03-21 9 excluded`. */
function row(date: string, rate: number, ...said: string[]): RateRow {
  const providers = said.map((text) => {
    const [key = '', of = '', value, mark] = text.split(' ');
    return { key, date: of, rate: Number(value), ...(mark && { [mark]: true }) };
  });
  return { date, base: 'EUR', quote: 'USD', rate, ...(providers.length > 0 && { providers }) };
}
/** The row of a week or month, with its lowest and highest rate. */
const period = (rest: RateRow, low: number, high: number): RateRow => ({
  ...rest,
  stats: { first: rest.rate, last: rest.rate, last_date: '2026-03-20', low, high },
});

const [friday, saturday] = ['2026-03-20', '2026-03-21'];
const carried = [`ECB ${friday} 1.11`, `BOC ${friday} 1.09`];
const marked = [`CBN ${saturday} 9 excluded`, `NBU ${saturday} 9 suspect`];
const rows = [
  row(friday, 1.1, ...carried),
  row(saturday, 1.1, ...carried, `CBU ${saturday} 1.12`, ...marked),
];

test('the figures of days have a band of all that the blend was made from, what is carried included', () => {
  const { lows, highs, inputs } = figuresOf(rows, []);
  expect(lows.map((low) => low?.toFixed(3))).toEqual(['1.092', '1.094']);
  expect(highs.map((high) => high?.toFixed(3))).toEqual(['1.108', '1.118']);
  expect(inputs.map((day) => `${day?.sources} ${day?.excluded}`)).toEqual(['2 0', '4 1']);
});

test('the figures of days have a line for each source, of what it said on the day itself', () => {
  const lines = [...figuresOf(rows, []).lines].map(([key, values]) => `${key} ${JSON.stringify(values)}`);
  expect(lines.sort().join(', ')).toBe(
    'BOC [1.09,null], CBN [null,9], CBU [null,1.12], ECB [1.11,null], NBU [null,9]',
  );
});

test('the figures of days have no band and no inputs where the sources have not been read', () => {
  const figures = figuresOf([row(friday, 1.1)], []);
  expect([hasBand(figures, 'linear'), figures.inputs]).toEqual([false, [undefined]]);
});

test('the figures of days of one source have the blend of the same days beside them', () => {
  const own = [row('2026-03-19', 1.1), row('2026-03-20', 1.2)];
  const figures = figuresOf(own, [row('2026-03-18', 1), row('2026-03-20', 1.19)]);
  expect([figures.lines.get(BLEND), hasBand(figures, 'linear')]).toEqual([[null, 1.19], false]);
});

test('the figures of weeks have the low and high of the week beside the lines of the sources', () => {
  const week = period(row('2026-03-16', 1.2, 'ECB 2026-03-16 1.21'), 1.15, 1.25);
  const { lows, highs, lines } = figuresOf([week], []);
  expect([lows, highs, lines.get('ECB')]).toEqual([Array(2).fill(1.15), Array(2).fill(1.25), [null, 1.21]]);
});

test('the band of a day is made of rates that are at most three days old', () => {
  const bankOf = (date: string, rate: number) => `B${rate} ${date} ${rate}`;
  const of = (...dates: string[]) => row(saturday, 1.1, ...dates.map((date, at) => bankOf(date, at + 1)));
  const { lows, highs } = figuresOf([of(saturday, '2026-03-18', '2026-03-17')], []);
  expect([lows[0]?.toFixed(1), highs[0]?.toFixed(1)]).toEqual(['1.1', '1.9']);
});

test('the line of weeks begins with the first rate of the first and ends on the last day of the last', () => {
  const [one, other] = [
    period(row('2026-03-09', 1.3), 1, 2),
    period(row('2026-03-16', 1.4, 'ECB 2026-03-16 1.5'), 1.2, 1.9),
  ];
  const first = { ...one, stats: { ...one.stats, first: 1 } } as RateRow;
  const last = { ...other, stats: { ...other.stats, last: 1.9 } } as RateRow;
  const { dates, rates, lines } = figuresOf([first, last], []);
  expect({ dates, rates }).toEqual({ dates: ['2026-03-09', friday], rates: [1, 1.9] });
  expect(lines.get('ECB')).toEqual([null, 1.5]);
  expect(figuresOf([one, other], [first, last]).lines.get(BLEND)).toEqual([1, 1.9]);
});

test('a quantile lies between the values around it', () => {
  expect(quantileOf([7], 0.9)).toBe(7);
  expect(quantileOf([1, 2], 0.5)).toBe(1.5);
  expect(quantileOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.1)).toBe(1);
});

test('sources are listed by the median of how far they are from the blend', () => {
  const [first, second, third] = ['2026-03-17', '2026-03-18', '2026-03-19'] as const;
  const bank = `BOC ${first} 2.01`;
  const rows = [
    row(first, 2, `CBN ${first} 3`, `ECB ${first} 2`, bank),
    row(second, 2, `CBN ${second} 3 excluded`, `ECB ${second} 2.02`, bank),
    row(third, 2, `CBN ${third} 3 excluded`, `ECB ${third} 4`, bank),
  ];
  expect(deviationsOf(rows).map((one) => ({ ...one, deviation: one.deviation.toFixed(4) }))).toEqual([
    { key: 'BOC', deviation: '0.0050', count: 1, leftOut: 0 },
    { key: 'ECB', deviation: '0.0100', count: 3, leftOut: 0 },
    { key: 'CBN', deviation: '0.5000', count: 3, leftOut: 2 },
  ]);
});

const [low, wide] = [row('2026-03-09', 1.4), period(row('2026-03-09', 1.4), 1, 2)];
test.each([
  ['is not flattened by a band that is far wider', [wide, row('2026-03-16', 1.5)], [1.3, 1.4], [1.5, 1.6]],
  ['is not changed by a source', [low, row('2026-03-16', 1.5, 'CBN 2026-03-16 9')], [1.3, 1.41], [1.49, 1.6]],
  ['ends with levels', [row('2026-03-09', 1.143), row('2026-03-16', 1.1803)], [1.139, 1.141], [1.189, 1.191]],
  ['has room around a level line', [row('2026-03-19', 2), row('2026-03-20', 2)], [0, 2], [2, 4]],
  ['does not go below zero', [row('2014-12-01', 2), row('2026-03-01', 44)], [-0.001, 0.001], [44, 60]],
])('the scale %s', (_, rows, ...within) => {
  for (const [at, end] of rangeOf(figuresOf(rows, []), 'linear').entries()) {
    const [above = 0, below = 0] = within[at] ?? [];
    expect(end).toBeGreaterThan(above);
    expect(end).toBeLessThan(below);
  }
});

const every = (days: number, count: number, start: CalendarDate = '2025-01-06') =>
  Array.from({ length: count }, (_, at) => addDays(start, at * days));

const [days, weeks] = [every(1, 10), every(7, 10)];
const months = ['2014-11-01', '2014-12-01', '2024-01-01', '2025-03-01', '2025-04-01', '2025-05-01'];
test.each([
  ['is whole where there is none', 'day', [], []],
  ['of days is whole while a rate counts', 'day', [...days, addDays('2025-01-15', 14)], []],
  ['of days is broken where a rate counts no more', 'day', [...days, addDays('2025-01-15', 15)], [10]],
  ['of weeks is whole where two are missing', 'week', [...weeks, ...every(7, 3, '2025-03-31')], []],
  ['of weeks is broken where three are missing', 'week', [...weeks, ...every(7, 3, '2025-04-07')], [10]],
  ['of months is broken where years are missing', 'month', months, [2, 3]],
  ['of a source that publishes each month is whole', 'day', every(30, 12), []],
  ['of a source that publishes each quarter is whole', 'week', every(91, 12), []],
] as const)('a line %s', (_, period, dates, gaps) => {
  expect(gapsIn(dates, period)).toEqual(gaps);
});

const EN = createFormats('en-GB');
const MONTH = { base: 'EUR', quote: 'USD', span: '1m', newest: '2026-03-20' } as const;
const alone = ['2014-11-01', '2014-12-01', '2024-01-01', ...every(28, 8, '2025-03-01')];
test.each([
  ['is broken where there are no rates, with a dot for a month alone', alone, 3, 1],
  ['has a dot for each rate where these are few', alone.slice(0, 3), 2, 3],
])('the picture of a line %s', (_, dates, parts, dots) => {
  const figures = figuresOf(
    dates.map((date, at) => row(date, 2 + at)),
    [],
  );
  const { text } = lineChart({ request: { ...MONTH, span: 'all' }, figures, marks: [] }, '', EN);
  const drawn = (name: string) =>
    new RegExp(`class="${name}[^"]*" d="([^"]*)"`).exec(text)?.[1]?.split('M').slice(1);
  expect([drawn('line')?.length, drawn('dots')?.length, drawn('band')]).toEqual([parts, dots, []]);
});

test.each([
  ['month', 'all', '2005'],
  ['day', '1m', 'Jan 2005'],
] as const)('a mark on a line of %ss (%s) is named %s', (_, span, name) => {
  const figures = figuresOf([row('2004-12-30', 1), row('2005-01-05', 2)], []);
  const marks = ['2004-12-30', '2005-01-01'].map((date) => ({ date, text: '' }));
  const { text } = lineChart({ request: { ...MONTH, span }, figures, marks }, '', EN);
  expect(breaking(text)).toContain(`>${name}</text></svg><svg class="axis dates"`);
  // The line begins with the other mark.
  expect(/class="mark" d="([^"]*)"/.exec(text)?.[1]).toMatch(/^M[\d.]+ 0V260$/);
});

test('the newest rate stands beside its line, in place of the level that it would touch', () => {
  const figures = figuresOf([row('2026-03-19', 1.14), row('2026-03-20', 1.1787)], []);
  const levels = lineChart({ request: MONTH, figures, marks: [] }, '', EN).text.split('</svg>')[0] ?? '';
  expect(levels.match(/(?<=>)[\d.]+/g)).toEqual(['1.14', '1.15', '1.16', '1.17', '1.1787']);
});

test.each<[scale: Scale, low: number, high: number, ...texts: string[]]>([
  ['linear', 1.134, 1.187, '1.14', '1.15', '1.16', '1.17', '1.18'],
  ['linear', 0, 6.9, '0', '2', '4', '6'],
  ['linear', 0.1, 1.3, '0.25', '0.50', '0.75', '1.00', '1.25'],
  ['linear', 1e-7, 13e-7, '0.00000025', '0.00000050', '0.00000075', '0.00000100', '0.00000125'],
  ['linear', 16_100, 17_200, '16,200', '16,400', '16,600', '16,800', '17,000', '17,200'],
  ['log', 0.9, 30, '1', '2', '5', '10', '20'],
  ['log', 0.003, 0.9, '0.005', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5'],
  ['log', 3, 4_000_000, '10', '100', '1,000', '10,000', '100,000', '1,000,000'],
  ['log', 1.134, 1.187, '1.14', '1.15', '1.16', '1.17', '1.18'],
])('the rates beside a %s chart from %d to %d are in even steps', (scale, low, high, ...texts) => {
  expect(levelsOf([low, high], EN, scale).map(({ text }) => text)).toEqual(texts);
});

test('the days below a chart are Mondays, first days of months or of years, as fits', () => {
  const from = (start: string) => ticksOf([...eachDay(start, '2026-03-20')], 6);
  expect(from('2026-02-17').dates).toEqual(['2026-02-23', '2026-03-02', '2026-03-09', '2026-03-16']);
  const months = ['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'];
  expect(from('2025-10-01')).toEqual({ dates: months, unit: 'month' });
  const years = ['2000-01-01', '2005-01-01', '2010-01-01', '2015-01-01', '2020-01-01', '2025-01-01'];
  expect(from('1999-01-08')).toEqual({ dates: years, unit: 'year' });
});

test.each(['en-GB', 'de', 'ar-EG', 'zh'])('the days below a chart are each written once in %s', (locale) => {
  const formats = createFormats(locale);
  const range = fc.record({
    end: fc.integer({ min: 0, max: 10_000 }).map((days) => addDays('2000-01-01', days)),
    days: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 400, max: 40_000 })),
    step: fc.constantFrom(1, 7, 30),
    most: fc.integer({ min: 3, max: 12 }),
  });
  fc.assert(
    fc.property(range, ({ end, days, step, most }) => {
      const start = addDays(end, -days);
      const rows = Array.from({ length: Math.floor(days / step) + 1 }, (_, at) => addDays(start, at * step));
      const { dates, unit } = ticksOf(rows, most);
      const labels = dates.map(formats[unit]);
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels.length).toBeGreaterThan(0);
      expect(labels.length).toBeLessThanOrEqual(most + 1);
      expect(dates.every((date) => date >= start && date <= end)).toBe(true);
    }),
    propertyRuns(1000),
  );
});

const randomRows = fc
  .array(
    fc.record({
      days: fc.integer({ min: 1, max: 400 }),
      rate: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      said: fc.array(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((steps) => {
    let date: CalendarDate = '1971-01-01';
    return steps.map(({ days, rate, said }) => {
      date = addDays(date, days);
      return row(date, rate, ...said.map((of, at) => `B${at} ${date} ${of}`));
    });
  });

const almostFlat = [row('1971-01-02', 1e-6, 'B0 1971-01-02 0.0000010000000000000002')];
test.each(['linear', 'log'] as const)(
  'on a %s scale, line, band and points are within the chart',
  (scale) => {
    fc.assert(
      fc.property(randomRows, (rows) => {
        const figures = figuresOf(rows, []);
        const { text } = lineChart({ request: { ...MONTH, scale }, figures, marks: [] }, '', EN);
        const numbers = [...text.matchAll(/class="(?:line|band[^"]*|dots|grid)" d="([^"]*)"/g)].flatMap(
          ([, d = '']) =>
            [...d.replaceAll(/[Hh][\d.]+/g, '').matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [
              Number(x),
              Number(y),
            ]),
        );
        const points = pointsOf(figures, scale);
        for (const [x = 0, y = 0] of [...numbers, ...points.map(({ x, y }) => [x, y])]) {
          expect([x >= 0, x <= SIZE.width, y >= 0, y <= SIZE.height]).toEqual([true, true, true, true]);
        }
        // The crosshair is where the line is.
        const drawn = /class="line" d="([^"]*)"/.exec(text)?.[1] ?? '';
        for (const { x, y } of points) expect(drawn).toContain(`${x.toFixed(1)} ${y.toFixed(1)}`);
      }),
      { ...propertyRuns(100), examples: [[almostFlat]] },
    );
  },
);

test('a span is offered if it shows more than the next shorter one', () => {
  const since = (start: CalendarDate) => spansSince(start, '2026-03-20').join(' ');
  expect(since('2026-03-16')).toBe('5d');
  expect(since('2026-03-01')).toBe('5d 1m');
  expect(since('2025-06-01')).toBe('5d 1m 6m 1y');
  expect(since('1999-01-04')).toBe('5d 1m 6m 1y 5y all');
});

test('the marks of a pair are its redenominations, with their ratio', () => {
  const textOf = (...pair: string[]) => chartMarks(pair, readerOf('en-GB')).map(({ text }) => breaking(text));
  expect(textOf('USD', 'TRY')).toEqual(['1 January 2005: 1,000,000 TRL became 1 TRY.']);
  expect(textOf('USD', 'DEM')).toEqual([expect.stringMatching(/: 1\.95583 DEM became 1 EUR\.$/)]);
  expect(textOf('EUR', 'USD')).toEqual([]);
});

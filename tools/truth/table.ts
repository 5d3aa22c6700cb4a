import type { Comparison } from './deviations.js';
import { median } from './dollar-rates.js';
import { type Explanation, explanations } from './explanations.js';
import { groupBy } from './group-by.js';
import type { Judged, Verdict } from './judge.js';

/** All that was found, as lines of text: a table of providers by currency, then what is odd. */
export function linesOf({ comparisons, otherDays, deviations, unused }: Verdict): string[] {
  const unexplained = deviations.filter(({ explanation }) => !explanation);
  return [
    line(
      'KEY',
      'CODE',
      'DAYS',
      'COMPARED',
      'MEDIAN',
      'WORST',
      'ON',
      'SHAPE',
      'LAG',
      'NEAR',
      'FAR',
      'EXPLAINED AS',
    ),
    ...comparisons.map((one) => comparisonLine(one, deviations)),
    ...otherDays.map(
      ({ provider, date, like, size }) =>
        `${provider} ${date}: its rates are those of ${like}, within ${percent(size)} in the middle`,
    ),
    ...unused.map(
      ({ provider, currencies, kind }) =>
        `${provider} ${codesOf(currencies)}: nothing is explained as ${kind}`,
    ),
    ...unexplained.map(
      ({ provider, quote, date, deviation }) =>
        `${provider} ${quote} ${date}: ${percent(deviation)} off, unexplained`,
    ),
    `${comparisons.length} series, ${deviations.length} deviations, ${unexplained.length} unexplained`,
  ];
}

/** Widths of the columns but the last; negative ones are aligned to the right. */
const WIDTHS = [8, 5, -6, -9, -10, -13, -11, -9, -4, -5, -5];

function line(...cells: readonly string[]): string {
  const padded = WIDTHS.map((width, index) => {
    const cell = cells[index] ?? '';
    return width < 0 ? cell.padStart(-width) : cell.padEnd(width);
  });
  return `${padded.join('')}  ${cells.slice(WIDTHS.length).join('')}`.trimEnd();
}

function comparisonLine(one: Comparison, deviations: readonly Judged[]): string {
  const { provider, quote, days, compared, worst, lag, near, far } = one;
  const kinds = deviations
    .filter((deviation) => deviation.provider === provider && deviation.quote === quote)
    .map(({ explanation }) => explanation?.kind ?? 'UNEXPLAINED');
  return line(
    provider,
    quote,
    String(days),
    String(compared),
    one.median === undefined ? '-' : percent(one.median),
    worst === undefined ? '-' : percent(worst.deviation),
    worst?.date ?? '-',
    worst?.shape ?? '-',
    lag === undefined ? '-' : String(lag),
    String(near),
    String(far.length),
    [...new Set(kinds)].join(', '),
  );
}

/** The document with the tables of explanations and of providers. */
export function tablesOf(verdict: Verdict): string {
  return `# Recorded rates compared

Made by \`npm run tool -- truth --docs\`. The columns are explained in [truth.md](../truth.md).

## Deviations

${explanationTable(verdict)}
## Providers

${providerTable(verdict)}`;
}

function explanationTable({ deviations }: Verdict): string {
  const byReason = new Map<Explanation | undefined, Judged[]>();
  for (const deviation of deviations) {
    const known = byReason.get(deviation.explanation) ?? [];
    byReason.set(deviation.explanation, [...known, deviation]);
  }
  return [
    '| provider | currencies | days | how many | worst | kind | why |\n|---|---|---|---|---|---|---|\n',
    ...explanations.map((one) => {
      const found = byReason.get(one) ?? [];
      return `| ${one.provider} | ${codesOf(one.currencies)} | ${daysOf(found)} | ${found.length} | ${worstOf(found)} | ${one.kind} | ${one.reason} |\n`;
    }),
  ].join('');
}

function providerTable({ comparisons }: Verdict): string {
  return [
    '| provider | currencies | compared | rates compared | median size | lag | up to 3 days away | above 2 % |\n|---|---|---|---|---|---|---|---|\n',
    ...[...groupBy(comparisons, ({ provider }) => provider)].map(([provider, some]) => {
      const sizes = some.flatMap((one) => (one.median === undefined ? [] : Math.abs(one.median)));
      const cells = [
        provider,
        some.length,
        sizes.length,
        sum(some, ({ compared }) => compared),
        sizes.length === 0 ? '' : percent(median(sizes)).replace('+', ''),
        lagsOf(some),
        sum(some, ({ near }) => near) || '',
        sum(some, ({ far }) => far.length) || '',
      ];
      return `| ${cells.join(' | ')} |\n`;
    }),
  ].join('');
}

/** The lag that most of a provider's currencies have. */
function lagsOf(some: readonly Comparison[]): string {
  const lags = groupBy(
    some.flatMap(({ lag }) => lag ?? []),
    String,
  );
  const [most] = [...lags.values()].sort((one, other) => other.length - one.length);
  return most === undefined ? '' : String(most[0]);
}

function sum(some: readonly Comparison[], of: (one: Comparison) => number): number {
  return some.reduce((total, one) => total + of(one), 0);
}

function codesOf(currencies: Explanation['currencies']): string {
  return currencies === 'all' ? 'all' : currencies.join(' ');
}

function daysOf(found: readonly Judged[]): string {
  const dates = [...new Set(found.map(({ date }) => date))].sort();
  if (dates.length <= 2) return dates.join(', ');
  return `${dates[0]} to ${dates.at(-1)}`;
}

function worstOf(found: readonly Judged[]): string {
  const sizes = found.map(({ deviation }) => deviation);
  return sizes.length === 0
    ? ''
    : percent(sizes.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one)));
}

/** A relative deviation as `+1.25 %`. */
function percent(deviation: number): string {
  return `${deviation < 0 ? '' : '+'}${(deviation * 100).toFixed(2)} %`;
}

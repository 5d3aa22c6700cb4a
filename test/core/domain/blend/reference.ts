import { Decimal } from 'decimal.js';
import { expect } from 'vitest';
import type { Blend } from '../../../../core/domain/blend/blend.js';
import type { RawRow } from '../../../../core/domain/blend/carry-forward.js';
import type { Peg } from '../../../../core/domain/pegs.js';
import { sourcesOf } from './blending.js';

/**
 * The rules of the blend once more, written from their description and not from core/domain/blend: in decimal numbers of
 * forty digits, from sets of rows instead of indices, as slowly as may be. Tests compare the two.
 */
const Exact = Decimal.clone({ precision: 40 });
type Number40 = InstanceType<typeof Exact>;

interface Share {
  provider: string;
  date: string;
  rate: Number40;
}

interface Rate {
  quote: string;
  date: string;
  rate: number;
}

export interface ReferenceBlend extends Rate {
  providers: [key: string, date: string, rate: number, excluded: 0 | 1][];
}

const DAY = 86_400_000;
const age = (date: string, asOf: string) => (Date.parse(asOf) - Date.parse(date)) / DAY;
const inverse = (rate: Number40) => new Exact(1).div(rate);
const newestDate = (shares: readonly Share[]) =>
  shares
    .map(({ date }) => date)
    .sort()
    .at(-1) ?? '';

/** Expects blends to be these: rates to a relative error of 1e-12, all else exactly. */
export function expectBlends(found: readonly Blend[], wanted: readonly ReferenceBlend[]): void {
  expectRates(found, wanted);
  for (const [index, { quote, providers }] of wanted.entries()) {
    const blend = found[index] ?? expect.fail(quote);
    const sources = sourcesOf(blend).map((one) => ({ ...one, quote: `${quote} of ${one.provider}` }));
    expect(sources.map(({ excluded }) => Number(excluded))).toEqual(providers.map((one) => one[3]));
    expectRates(
      sources,
      providers.map(([key, date, rate]) => ({ quote: `${quote} of ${key}`, date, rate })),
    );
  }
}

/** The same of rates without sources. */
export function expectRates(found: readonly Rate[], wanted: readonly Rate[]): void {
  expect(found.map(({ quote, date }) => [quote, date])).toEqual(
    wanted.map(({ quote, date }) => [quote, date]),
  );
  for (const [index, { quote, rate }] of wanted.entries())
    expect(Math.abs((found[index]?.rate ?? Number.NaN) / rate - 1), quote).toBeLessThan(1e-12);
}

export function referenceBlend(rows: readonly RawRow[], asOf: string): ReferenceBlend[] {
  const newest = rows.filter(
    (row) =>
      age(row.date, asOf) >= 0 &&
      age(row.date, asOf) <= 14 &&
      !rows.some((other) => isSamePair(other, row) && other.date > row.date && other.date <= asOf),
  );
  const quotes = [...new Set(newest.flatMap(({ base, quote }) => [base, quote]))].sort();
  const byQuote = quotes.map((quote) => ({ quote, shares: sharesOf(newest, quote) }));
  const reference = newestDate(byQuote.flatMap(({ shares }) => shares));
  return byQuote.flatMap(({ quote, shares }) => {
    if (shares.length === 0) return [];
    const excluded = outliersAmong(shares);
    const counted = shares.filter(({ provider }) => !excluded.has(provider));
    const weighted = counted.map(({ date, rate }) => {
      const late = age(date, reference);
      return { rate, weight: late <= 3 ? new Exact(1) : Exact.exp(new Exact(late - 3).div(-2)) };
    });
    const sum = weighted.reduce((total, { rate, weight }) => total.plus(rate.times(weight)), new Exact(0));
    const weights = weighted.reduce((total, { weight }) => total.plus(weight), new Exact(0));
    return {
      quote,
      date: newestDate(counted),
      rate: sum.div(weights).toNumber(),
      providers: shares.map(({ provider, date, rate }): ReferenceBlend['providers'][number] => {
        return [provider, date, rate.toNumber(), excluded.has(provider) ? 1 : 0];
      }),
    };
  });
}

export function referencePegs(blends: readonly ReferenceBlend[], pegs: readonly Peg[]) {
  const newest = blends
    .map(({ date }) => date)
    .sort()
    .at(-1);
  const rateOf = (quote: string) =>
    quote === 'USD' ? 1 : blends.find((blend) => blend.quote === quote)?.rate;
  const result = blends.map(({ quote, date, rate }) => ({ quote, date, rate }));
  for (const peg of pegs) {
    const anchor = rateOf(peg.base);
    const own = result.find(({ quote }) => quote === peg.quote);
    const date = own?.date ?? newest;
    if (anchor === undefined || date === undefined || date < peg.since || date >= (peg.until ?? '9999'))
      continue;
    const rate = new Exact(peg.rate).times(anchor).toNumber();
    if (own) own.rate = rate;
    else result.push({ quote: peg.quote, date, rate });
  }
  return result.sort((one, other) => (one.quote < other.quote ? -1 : 1));
}

function isSamePair(one: RawRow, other: RawRow): boolean {
  return one.provider === other.provider && one.base === other.base && one.quote === other.quote;
}

/** The units of the quote per dollar of every provider and date that reaches it, several of a date as their mean. */
function sharesOf(rows: readonly RawRow[], wanted: string): Share[] {
  const paths: Share[] = rows.flatMap((row) => {
    const reached = inDollars(row, rows);
    return reached?.quote === wanted ? [{ provider: row.provider, date: row.date, rate: reached.rate }] : [];
  });
  const keys = [...new Set(paths.map(({ provider, date }) => `${provider} ${date}`))].sort();
  return keys.map((key) => {
    const same = paths.filter(({ provider, date }) => `${provider} ${date}` === key);
    const total = same.reduce((sum, { rate }) => sum.plus(rate), new Exact(0));
    const [provider = '', date = ''] = key.split(' ');
    return { provider, date, rate: total.div(same.length) };
  });
}

function inDollars(row: RawRow, rows: readonly RawRow[]): { quote: string; rate: Number40 } | undefined {
  const { base, quote } = row;
  const rate = new Exact(row.rate);
  const own = (from: string, to: string) => {
    const found = rows.find(
      (other) => other.provider === row.provider && other.base === from && other.quote === to,
    );
    return found && new Exact(found.rate);
  };
  if (base === 'USD') return quote === 'USD' ? undefined : { quote, rate };
  if (quote === 'USD') return { quote: base, rate: inverse(rate) };
  const dollarQuote = own('USD', quote);
  if (dollarQuote) return { quote: base, rate: dollarQuote.div(rate) };
  const dollarBase = own('USD', base);
  if (dollarBase) return { quote, rate: dollarBase.times(rate) };
  const baseDollar = own(base, 'USD');
  if (baseDollar) return { quote, rate: rate.div(baseDollar) };
  return undefined;
}

function outliersAmong(shares: readonly Share[]): Set<string> {
  if (new Set(shares.map(({ provider }) => provider)).size < 4) return new Set();
  const median = upperMiddle(shares.map(({ rate }) => rate));
  const deviation = upperMiddle(shares.map(({ rate }) => rate.minus(median).abs()));
  const limit = Exact.max(deviation.times(10), median.times(0.05));
  const far = shares.filter(({ rate }) => rate.minus(median).abs().gt(limit));
  return new Set(far.map(({ provider }) => provider));
}

function upperMiddle(values: readonly Number40[]): Number40 {
  const sorted = [...values].sort((one, other) => one.cmp(other));
  return sorted[Math.floor(sorted.length / 2)] ?? new Exact(Number.NaN);
}

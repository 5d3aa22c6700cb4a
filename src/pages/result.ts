import { product } from '../../core/domain/amount.js';
import { lifetimeOf } from '../../core/domain/currencies.js';
import { pegOf } from '../../core/domain/pegs.js';
import { plainDecimal, roundForDisplay } from '../../core/domain/rounding.js';
import { HttpError, StillLoading } from '../http/errors.js';
import type { Conversion, PageData } from './data.js';
import { problemOf } from './problem.js';
import type { PageRequest } from './reader.js';
import { fractionOf, unbroken } from './shared/format.js';
import { type Html, html } from './shared/html.js';
import type { Writing } from './shared/messages.js';
import type { Pair, Parameters } from './shared/requests.js';

/** A result may be smaller than the minor unit of its currency. */
const LEAST_DIGITS = 3;
/** A result with at least this many decimals was not rounded, as no currency has as many. */
const UNROUNDED_DECIMALS = 5;
const UNROUNDED_DIGITS = 6;

/** Of the displayed rate. The API multiplies by a rate of twelve digits. */
const DIGITS = [5, 6, 7, 8, 9, 10, 11, 12];

/** The displayed rate times the amount is the displayed result, if the digits suffice. A law forbids to invert its rate. */
export function resultOf(conversion: Conversion, { formats, say }: Writing, hasInverse: boolean) {
  const { mean, amount, base, quote, observed, rate } = conversion;
  const result = shownResult(conversion);
  const decimals = fractionOf(result).length;
  const gives = (one: string) => product(amount, Number(one), decimals) === Number(result);
  const usual = shownRate(conversion);
  const longer =
    DIGITS.map((digits) => rate.toFixed(decimalsFor(rate, digits))).find(gives) ?? plainDecimal(rate);
  const shown = gives(String(usual)) ? formats.shown(usual) : formats.decimal(longer);
  const laws = Object.entries(conversion.fixed ?? {}).map((one) => lawOf(one, { formats, say }));
  const rates = [`${formats.count(1)} ${base} = ${shown} ${quote}`];
  if (hasInverse && laws.length === 0)
    rates.push(`${formats.count(1)} ${quote} = ${formats.rate(1 / rate)} ${base}`);
  const one = { rates: rates.join('\u00a0· ') };
  const seen = mean
    ? say('rules.mean', { ...one, from: formats.date(mean.from), to: formats.date(mean.to) })
    : say('converter.rate', { ...one, observed: formats.date(observed) });
  return {
    /** "100 EUR =" */
    given: `${formats.decimal(amount)} ${base} =`,
    /** "115.63 USD" */
    result: `${formats.decimal(result)} ${quote}`,
    /** "1 EUR = 1.1563 USD · 1 USD = 0.86482 EUR on 20 March 2026"; for an ended currency, also the law that fixed its rate. */
    rate:
      laws.length === 0
        ? seen
        : html`${isFixed(conversion) ? '' : `${seen}; `}${laws.map((law, at) => html`${at > 0 && '; '}${law}`)}`,
  };
}

/** As `/v2/rate`: the rate of a peg unchanged, others rounded. */
export function shownRate({ base, quote, rate }: Pair & { rate: number }): number {
  const peg = pegOf(quote);
  return peg?.base === base && peg.rate === rate ? rate : roundForDisplay(rate);
}

/** "1 EUR = 1.95583 DEM by law since 1 January 1999: Council Regulation (EC) No 2866/98", with a link to the law. */
function lawOf(
  [code, { base, rate }]: [string, { base: string; rate: number }],
  { formats, say }: Writing,
): Html {
  const { since = '', regulation = '', source = '' } = lifetimeOf(code).successor?.fixed ?? {};
  const units = `${formats.decimal(String(rate))} ${code}`;
  const law = { base, rate: units, since: formats.date(since), regulation: '|' };
  const [before, after] = say('converter.fixed', law).split('|');
  return html`${before}<a href="${source}" rel="noreferrer" lang="en">${unbroken(regulation)}</a>${after}`;
}

/** With a note on the rate. */
export function answerOf({ given, result, rate }: ReturnType<typeof resultOf>, note?: Html): Html {
  return html`<span class="result-amount">${given}</span> <strong>${result}</strong> <small>${rate}${note && html`\u00a0· ${note}`}</small>`;
}

/** Whether a law alone says what one is in the other, so that no day was observed. */
function isFixed({ base, quote, fixed = {} }: Conversion): boolean {
  return fixed[base]?.base === quote || fixed[quote]?.base === base;
}

/** With enough digits to read, if it is rounded to too few or not at all. */
function shownResult({ amount, rate, result }: Conversion): string {
  const digits = result.replaceAll(/[-.]|^[-0.]+/g, '').length;
  const isRounded = fractionOf(result).length < UNROUNDED_DECIMALS;
  if (isRounded && digits >= LEAST_DIGITS) return result;
  const decimals = decimalsFor(Number(amount) * rate, isRounded ? LEAST_DIGITS : UNROUNDED_DIGITS);
  return product(amount, rate, decimals).toFixed(decimals);
}

function decimalsFor(value: number, digits: number): number {
  const whole = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  return Math.min(20, Math.max(0, digits - 1 - whole));
}

export interface Problem {
  problem: Html;
  status: number;
}

/** Converts as `/v2/convert` does. Returns a problem, also while older rates are being loaded, or throws another error. */
export async function convert(
  pair: Pair,
  parameters: Parameters,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Conversion | Problem> {
  try {
    return await data.convert(pair, parameters, context);
  } catch (error) {
    const isShown = error instanceof HttpError && (error.status < 500 || error instanceof StillLoading);
    if (!isShown) throw error;
    return { problem: problemOf(error, reader), status: error.status };
  }
}

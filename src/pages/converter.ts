import { currencies as currencyFacts, lifetimeOf } from '../../core/domain/currencies.js';
import { addDays, isCalendarDate } from '../../core/domain/dates.js';
import { homepage } from '../../core/process/project-files.js';
import type { ListedCurrency } from '../catalogue/schemas.js';
import { currencyName, fixedSinceOf, frequentFirst } from './currency-name.js';
import type { Conversion, PageData } from './data.js';
import type { Reader } from './reader.js';
import { answerOf, type Problem, resultOf } from './result.js';
import { amountIn, amountProblem } from './shared/amount.js';
import { type Html, html } from './shared/html.js';
import type { Say } from './shared/messages.js';
import { lookOf, type Pair } from './shared/requests.js';

export type Asked = ReturnType<typeof askedOf>;

/** By the fields of currencies that do not exist. */
export type Problems = Partial<Record<string, Html>>;

const USUAL_AMOUNT = '100';

/** In days. Sources pause for holidays. */
const USUAL_PAUSE = 31;

/** `usual` stands in for what the query lacks, or has of unknown currencies. */
export function askedOf(
  query: Readonly<Record<string, string | undefined>>,
  usual: Pair & { date?: string },
  data: PageData,
) {
  const typed = query.amount?.trim() ?? USUAL_AMOUNT;
  const pair = { base: codeOf(query.base) ?? usual.base, quote: codeOf(query.quote) ?? usual.quote };
  const [amount, date] = [amountIn(typed), query.date || usual.date];
  const drawn = drawnPair(pair);
  const [start, newest] = data.daysOf(drawn);
  const hasEnded = newest < addDays(data.newest(), -USUAL_PAUSE);
  const request = { ...drawn, newest, ...lookOf(query, hasEnded ? 'all' : '1m') };
  return {
    typed,
    /** In the form of the API; undefined if it is not a number. */
    amount,
    ...pair,
    date,
    /** Of `/v2/convert`, with the usual amount if that of the address can't be read: its field has the problem. */
    parameters: { amount: amount ?? USUAL_AMOUNT, ...(date && { date }) },
    /** Whether the address names the pair. */
    isNamed: query.quote !== undefined,
    chart: { request, start, hasEnded, insteadOf: drawn === pair ? undefined : pair },
  };
}

/** A rate by law has no chart: that of the currency which it replaced ends with it. */
function drawnPair(pair: Pair): Pair {
  const ended = [pair.base, pair.quote].find((code) => lifetimeOf(code).successor?.fixed);
  return ended && fixedSinceOf(pair) ? { base: ended, quote: 'USD' } : pair;
}

/** A known currency in any case. */
export function codeOf(text: string | undefined): string | undefined {
  const code = text?.trim().toUpperCase() ?? '';
  return currencyFacts.has(code) ? code : undefined;
}

export function converter(
  { typed, base, quote, date, chart }: Asked,
  conversion: Conversion | Problem,
  data: PageData,
  reader: Reader,
  problems: Problems = {},
): Html {
  const { say } = reader;
  const select = (name: string, label: string, selected: string, other: string) =>
    html`<div class="field field-${name}"><label for="${name}" id="${name}-label">${label}</label>${currencySelect({ name, selected, other }, data.currencies(), reader)}${problems[name] && html`<small class="problem" data-unknown>${problems[name]}</small>`}</div>`;
  return html`<form class="card converter" action="/" method="get" autocomplete="off" data-converter>
<div class="field field-amount">${amountField(typed, reader)}</div>
${select('base', say('converter.from'), base, quote)}
${select('quote', say('converter.to'), quote, base)}
<div class="field field-date"><label for="date">${say('converter.day')}</label>${withDay(html`<input id="date" name="date" type="date" max="${data.today()}" value="${date}">`, reader, date, say('converter.newest'))}</div>
<input type="hidden" name="span" value="${chart.request.span}">
<button class="primary" data-submit>${say('converter.convert')}</button>
<button class="swap" name="swap" value="1" aria-label="${say('converter.swap')}"><span aria-hidden="true">⇄</span></button>
<div class="answer"><output class="result" for="amount base quote date" data-result data-part="result">${
    'problem' in conversion
      ? conversion.problem
      : answerOf(resultOf(conversion, reader, true), blendNote(conversion, reader))
  }</output><div class="hint" role="status" data-result-state></div></div>
</form>`;
}

/** What the rate is, unless a law or a peg fixes it. */
function blendNote(pair: Pair, { say }: Reader): Html | undefined {
  if (fixedSinceOf(pair) !== undefined) return undefined;
  return html`<a href="${homepage}/blob/main/docs/blend.md" rel="noreferrer">${say('converter.blend')}</a>${say('converter.noPrice')}`;
}

/** With a problem if the amount can't be read. Also sends the locale that it is typed in: see `submittedQuery`. */
export function amountField(amount: string, { locale, formats, say }: Reader): Html {
  const read = amountIn(amount);
  const problem = read === undefined && amountProblem(amount, { formats, say });
  return html`<label for="amount">${say('converter.amount')}</label><input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${read === undefined ? amount : formats.decimal(read)}"${problem && html` aria-invalid="true"`} aria-describedby="amount-problem" required><small class="problem" id="amount-problem" role="status">${problem}</small><input type="hidden" name="locale" value="${locale}">`;
}

/** Of links; empty without any. */
export function didYouMean(links: readonly Html[], say: Say): Html {
  if (links.length === 0) return html``;
  const [before, after] = say('converter.meant', { codes: '|' }).split('|');
  return html`${before}${links.map((link, at) => html`${at > 0 && ', '}${link}`)}${after}`;
}

/** A date field with its date in words: fields write dates as the browser does, not as the page. `none` is for no date. */
export function withDay(input: Html, { formats }: Reader, date = '', none = ''): Html {
  const day = isCalendarDate(date) ? formats.shortDate(date) : none;
  return html`<div class="day">${input}<span data-day="${none}" aria-hidden="true">${day}</span></div>`;
}

/** The text of `none` adds an option for no currency. Both currencies of a pair are options, so that they can be swapped. */
export function currencySelect(
  field: { name: string; id?: string; selected: string; other?: string; none?: string },
  listed: readonly ListedCurrency[],
  { formats }: Reader,
): Html {
  const { name, id = name, selected, other, none } = field;
  const codes = frequentFirst(listed.map(({ iso_code }) => iso_code));
  for (const code of [other, selected]) if (code && !codes.includes(code)) codes.unshift(code);
  const options = codes.map(
    (code) =>
      html`<option value="${code}"${code === selected && html` selected`}>${code} · ${currencyName(code, formats)}</option>`,
  );
  return html`<select id="${id}" name="${name}">${none !== undefined && html`<option value="">${none}</option>`}${options}</select>`;
}

import { z } from 'zod';
import { currencies as currencyFacts } from '../../core/domain/currencies.js';
import { addDays, firstOfQuarter, isCalendarDate } from '../../core/domain/dates.js';
import {
  availableRules,
  isOfReturns,
  type Rule,
  ruleOn,
  rules,
  type UnavailableRule,
  unavailableRules,
} from '../../core/domain/rules.js';
import { errorBody, parameterError } from '../http/errors.js';
import { excerpt } from '../parameters/excerpt.js';
import { invalidDate } from '../parameters/hints.js';
import { lenientQuery } from '../parameters/query.js';
import { convert, type Problem } from './convert.js';
import { amountField, currencySelect, withDay } from './converter.js';
import type { PageData } from './data.js';
import { facts } from './facts.js';
import type { Page } from './layout.js';
import { stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { amountIn } from './shared/amount.js';
import { type Html, html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';
import { problemOf } from './shared/problem.js';
import { answerOf, type Conversion, resultOf } from './shared/result.js';

/** Without a pair, each rule is shown with the pair of its example. */
const rulesQuery = lenientQuery(
  z.object({ date: z.string(), amount: z.string(), base: z.string(), quote: z.string() }).partial(),
);

type RulesQuery = ReturnType<typeof rulesQuery.read>;

interface Asked {
  date: string;
  /** Whether the address names the day. Otherwise each rule is shown with the newest day that has a rate. */
  isGiven: boolean;
  amount: string;
  base: string | undefined;
  quote: string | undefined;
}

interface Ruled {
  rule: Rule;
  pair: { base: string; quote: string };
  parameters: Record<string, string>;
  outcome: Conversion | Problem;
  /** Whether the day of the rate is long before the requested one. */
  isOld: boolean;
}

const USUAL_AMOUNT = '1000';
const OLD_DAYS = 92;

export async function rulesPage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader, target } = request;
  const { formats, say } = reader;
  const query = rulesQuery.read(target);
  const asked = askedBy(query, data.today(), reader);
  const problem = 'problem' in asked ? asked.problem : undefined;
  const found = 'problem' in asked ? [] : await ruledBy(asked, data, request);
  const loading = found.map(({ outcome }) => outcome).find((one) => 'problem' in one && one.status === 503);
  return {
    title: `${say('rules.heading')} · Almanac`,
    summary: say('rules.summary'),
    path: '/rules',
    script: 'reference.ts',
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>${say('rules.heading')}</h1>
<p class="lead">${'problem' in asked || !asked.isGiven ? say('rules.leadNewest') : say('rules.lead', { date: formats.date(asked.date) })}</p>
<p class="hint">${say('rules.advice')}</p>
${loading && 'problem' in loading && html`<p class="card note" role="status">${loading.problem}</p>`}
${form(query, data, reader)}
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<div class="rules">${found.map((one) => ruleCard(one, data, reader))}</div>
${unavailable(reader)}`,
  };
}

/** The field of an amount that can't be read has its own problem. */
function askedBy(
  { date, amount, base, quote }: RulesQuery,
  today: string,
  reader: Reader,
): Asked | { problem: Html | string } {
  const { say } = reader;
  if (date && !isCalendarDate(date)) {
    const error = parameterError(422, 'date', `date ${invalidDate(date)}`);
    return { problem: problemOf(errorBody(error), reader) };
  }
  const read = amountIn(amount || USUAL_AMOUNT);
  if (read === undefined) return { problem: '' };
  const [one, other] = [base, quote].map((text) => text?.trim().toUpperCase() || undefined);
  const unknown = [one, other].find((code) => code !== undefined && !currencyFacts.has(code));
  if (unknown !== undefined) return { problem: say('converter.unknown', { code: excerpt(unknown) }) };
  return { date: date || today, isGiven: Boolean(date), amount: read, base: one, quote: other };
}

/** One after the other, as most rules share the rates of a source. */
async function ruledBy(asked: Asked, data: PageData, request: PageRequest): Promise<Ruled[]> {
  const found: Ruled[] = [];
  for (const id of new Set(availableRules().map((one) => one.id))) {
    const rule = ruleOn(id, asked.date) ?? rules.find((one) => one.id === id);
    if (!rule) continue;
    const pair = pairOf(asked, rule);
    let ruled: Ruled | undefined;
    for (const date of daysFor(rule, asked, data)) {
      const parameters = parametersOf(rule, date, asked);
      const outcome = await convert(pair, parameters, data, request);
      // If no day has a rate, the problem is that of the requested day.
      if (ruled && 'problem' in outcome) continue;
      ruled = { rule, pair, parameters, outcome, isOld: date < addDays(asked.date, -OLD_DAYS) };
      if (!('problem' in outcome)) break;
    }
    if (ruled) found.push(ruled);
  }
  return found;
}

/** The requested day. Otherwise today, the newest day of the source, and the end of its last quarter. */
function daysFor(rule: Rule, { date, isGiven }: Asked, data: PageData): string[] {
  const newest = newestOf(rule, data);
  if (isGiven || newest === null) return [date];
  return [date, newest, ...(isOfReturns(rule) ? [addDays(firstOfQuarter(newest), -1)] : [])];
}

/** A mean is shown for the quarter up to the day. */
function parametersOf({ id, pick }: Rule, date: string, { amount }: Asked): Record<string, string> {
  const days = pick === 'mean' ? { from: firstOfQuarter(date), to: date } : { date };
  return { amount, ...days, rule: id };
}

/** The newest day with rates of the source of a rule. */
function newestOf({ source }: Rule, data: PageData): string | null {
  return data.providers().find(({ key }) => key === source)?.end_date ?? null;
}

function pairOf({ base, quote }: Asked, { examples: [example] }: Rule): Ruled['pair'] {
  const usual = example?.input ?? { base: 'USD', quote: 'EUR' };
  return {
    base: base ?? (usual.base === quote ? usual.quote : usual.base),
    quote: quote ?? (usual.quote === base ? usual.base : usual.quote),
  };
}

function form({ date, amount, base = '', quote = '' }: RulesQuery, data: PageData, reader: Reader): Html {
  const { say } = reader;
  const select = (name: string, label: string, text: string) => {
    const code = text.trim().toUpperCase();
    const selected = currencyFacts.has(code) ? code : '';
    return html`<div class="field"><label for="${name}">${label}</label>${currencySelect({ name, selected, none: say('rules.usual') }, data.currencies(), reader)}</div>`;
  };
  const day = date || data.today();
  return html`<form class="card builder" action="/rules" method="get">
<div class="field"><label for="date">${say('rules.day')}</label>${withDay(html`<input id="date" name="date" type="date" value="${day}">`, reader, day)}</div>
<div class="field">${amountField(amount || USUAL_AMOUNT, reader)}</div>
${select('base', say('converter.from'), base)}
${select('quote', say('converter.to'), quote)}
<button class="primary">${say('rules.show')}</button></form>`;
}

function ruleCard(ruled: Ruled, data: PageData, reader: Reader): Html {
  const { rule, pair, parameters, outcome, isOld } = ruled;
  const { formats, say } = reader;
  const source = data.providers().find(({ key }) => key === rule.source)?.name;
  const href = `/v2/convert/${pair.base}/${pair.quote}?${new URLSearchParams(parameters)}`;
  return html`<article class="card rule${isOld && ' old'}"><h2><small>${formats.country(rule.jurisdiction)}</small> ${useOf(rule, reader)}</h2>
${'problem' in outcome ? noRate(outcome.problem, ruled, data, reader) : rateOf(outcome, parameters, reader)}
${isOld && !('problem' in outcome) && html`<p>${stateChip('late', say)}</p>`}
${facts({
  [say('status.column.name')]: html`<a href="/provider/${rule.source}">${source ?? rule.source}</a>`,
  [say('rules.law')]: html`<span lang="en" dir="ltr">${rule.citation}</span>`,
  [say('rules.programs')]: html`<a href="${href}"><code dir="ltr">rule=${rule.id}</code></a>`,
})}</article>`;
}

/** With a link to the newest day of the source, for the same pair. */
function noRate(
  problem: Html | string,
  { rule, pair, parameters }: Ruled,
  data: PageData,
  { formats, say }: Reader,
): Html {
  const newest = newestOf(rule, data);
  if (newest === null) return html`<p>${say('rules.never')}</p>`;
  // The source may have rates of other currencies on that day.
  if (newest === (parameters.date ?? parameters.to)) return html`<p>${problem}</p>`;
  const href = `/rules?${new URLSearchParams({ date: newest, ...pair })}`;
  return html`<p>${problem} <a href="${href}">${say('rules.newest', { date: formats.date(newest) })}</a></p>`;
}

/** A mean has the days of its period instead of an observed day. */
function rateOf(conversion: Conversion, { from, to }: Ruled['parameters'], reader: Reader): Html {
  const { formats, say } = reader;
  const days = from && to && say('chart.between', { low: formats.date(from), high: formats.date(to) });
  return html`<p class="result">${answerOf({ ...resultOf(conversion, reader), inverse: '' })}</p>
${days && html`<p class="hint">${days}</p>`}`;
}

function useOf({ use }: Rule | UnavailableRule, { say }: Reader): string {
  return say(`rules.uses.${use}` as MessageKey);
}

function unavailable(reader: Reader): Html {
  const { formats, say } = reader;
  return html`<section class="card"><h2>${say('rules.unavailable')}</h2>
<ul class="unavailable">${unavailableRules().map(
    (rule) =>
      html`<li><strong>${formats.country(rule.jurisdiction)}: ${useOf(rule, reader)}</strong> <small><span lang="en" dir="ltr">${rule.citation}</span>: ${say(`rules.reasons.${rule.id}` as MessageKey)}. ${say('rules.missing', { key: rule.source })}</small></li>`,
  )}</ul></section>`;
}

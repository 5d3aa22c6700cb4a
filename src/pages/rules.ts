import * as z from 'zod';
import { addDays, isCalendarDate, periodAround } from '../../core/domain/dates.js';
import {
  availableRules,
  isOfReturns,
  type Rule,
  ruleOn,
  rules,
  type UnavailableRule,
  unavailableRules,
} from '../../core/domain/rules.js';
import { parameterError } from '../http/errors.js';
import { excerpt } from '../parameters/excerpt.js';
import { invalidDate } from '../parameters/hints.js';
import { lenientQuery } from '../parameters/query.js';
import { amountField, codeOf, currencySelect, withDay } from './converter.js';
import type { Conversion, PageData } from './data.js';
import type { Page } from './layout.js';
import { problemOf } from './problem.js';
import type { PageRequest, Reader } from './reader.js';
import { answerOf, convert, type Problem, resultOf } from './result.js';
import { pathWith } from './searchable-table.js';
import { amountIn } from './shared/amount.js';
import { unbroken } from './shared/format.js';
import { facts, type Html, html } from './shared/html.js';
import type { MessageKey } from './shared/messages.js';

const text = z.string().optional();
/** Without a pair, each rule is shown with the pair of its example. */
const rulesQuery = lenientQuery(
  z.object({ country: text, date: text, amount: text, base: text, quote: text }),
);

type RulesQuery = ReturnType<typeof rulesQuery.read>;

type Asked = ReturnType<typeof askedBy>;

type Ruled = Awaited<ReturnType<typeof outcomeOf>>;

const USUAL_AMOUNT = '1000';
const countries = new Set(rules.map(({ jurisdiction }) => jurisdiction));

export async function rulesPage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader, target } = request;
  const { formats, say } = reader;
  const query = rulesQuery.read(target);
  const asked = askedBy(query, data.today());
  const problem = problemIn(query, reader);
  const found = problem === undefined ? await ruledBy(asked, data, request) : [];
  return {
    title: `${say('rules.heading')} · Almanac`,
    summary: say('rules.summary'),
    section: 'rules',
    script: 'reference.ts',
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>${say('rules.heading')}</h1>
<p class="lead">${problem !== undefined || !asked.isGiven ? say('rules.leadNewest') : say('rules.lead', { date: formats.date(asked.date) })}</p>
${form(query, data, reader)}
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<div class="rules">${found.map((one) => ruleCard(one, request))}</div>
${unavailable(query, reader)}
<p class="hint">${say('rules.advice')}</p>`,
  };
}

/** Empty for an amount that can't be read, as its field has the problem. */
function problemIn({ date, amount, base, quote }: RulesQuery, reader: Reader): Html | string | undefined {
  if (date && !isCalendarDate(date))
    return problemOf(parameterError(422, 'date', `date ${invalidDate(date)}`), reader);
  if (amountIn(amount || USUAL_AMOUNT) === undefined) return '';
  const unknown = [base, quote].find((text) => text?.trim() && !codeOf(text));
  return unknown && reader.say('converter.unknown', { code: excerpt(unknown.trim().toUpperCase()) });
}

function askedBy({ country, date, amount, base, quote }: RulesQuery, today: string) {
  return {
    country,
    date: date || today,
    /** Whether the address names the day. Otherwise each rule is shown with the newest day that has a rate. */
    isGiven: Boolean(date),
    amount: amountIn(amount || USUAL_AMOUNT) ?? USUAL_AMOUNT,
    base: codeOf(base),
    quote: codeOf(quote),
  };
}

/** An unknown country counts as missing. */
function isShown({ jurisdiction }: Rule | UnavailableRule, { country = '' }: Asked | RulesQuery): boolean {
  return jurisdiction === country || !countries.has(country);
}

/** One after the other, as most rules share the rates of a source. Those with the rate of the requested day are first, then by country. */
async function ruledBy(asked: Asked, data: PageData, request: PageRequest): Promise<Ruled[]> {
  const found: Ruled[] = [];
  const shown = availableRules().filter((one) => isShown(one, asked));
  for (const id of new Set(shown.map((one) => one.id))) {
    const rule = ruleOn(id, asked.date) ?? rules.find((one) => one.id === id);
    if (rule) found.push(await outcomeOf(rule, asked, data, request));
  }
  const rank = (one: Ruled) => ('problem' in one.outcome ? 2 : Number(one.date !== asked.date));
  const placeOf = ({ rule }: Ruled) => request.reader.formats.country(rule.jurisdiction);
  return found.toSorted(
    (one, other) => rank(one) - rank(other) || placeOf(one).localeCompare(placeOf(other)),
  );
}

/** On the requested day. Otherwise today, on the newest day of the source, or on the end of its last quarter. */
async function outcomeOf(rule: Rule, asked: Asked, data: PageData, request: PageRequest) {
  const pair = pairOf(asked, rule);
  const source = data.providers().find(({ key }) => key === rule.source);
  /** The newest day with rates of the source. */
  const newest = source?.end_date ?? null;
  const on = async (date: string) => {
    const parameters = parametersOf(rule, date, asked);
    const outcome = await convert(pair, parameters, data, request);
    return { asked, rule, source, newest, pair, date, parameters, outcome };
  };
  const requested = await on(asked.date);
  if ('rate' in requested.outcome || asked.isGiven || newest === null) return requested;
  const quarterEnd = addDays(periodAround('quarter', newest).from, -1);
  for (const date of isOfReturns(rule) ? [newest, quarterEnd] : [newest]) {
    const earlier = await on(date);
    if ('rate' in earlier.outcome) return earlier;
  }
  return requested;
}

/** A mean is shown for the quarter up to the day. */
function parametersOf({ id, pick }: Rule, date: string, { amount }: Asked): Record<string, string> {
  const days = pick === 'mean' ? { from: periodAround('quarter', date).from, to: date } : { date };
  return { amount, ...days, rule: id };
}

function pairOf({ base, quote }: Asked, { examples: [example] }: Rule) {
  const usual = example?.input ?? { base: 'USD', quote: 'EUR' };
  return {
    base: base ?? (usual.base === quote ? usual.quote : usual.base),
    quote: quote ?? (usual.quote === base ? usual.base : usual.quote),
  };
}

function form(query: RulesQuery, data: PageData, reader: Reader): Html {
  const { country, date, amount, base, quote } = query;
  const { formats, say } = reader;
  const select = (name: string, label: string, code = '') =>
    html`<div class="field"><label for="${name}">${label}</label>${currencySelect({ name, selected: code, none: say('rules.usual') }, data.currencies(), reader)}</div>`;
  const day = date || data.today();
  const options = [...countries].map(
    (code) =>
      html`<option value="${code}"${code === country && html` selected`}>${formats.country(code)}</option>`,
  );
  return html`<form class="card builder" action="/rules" method="get">
<div class="field"><label for="country">${say('rules.country')}</label><select id="country" name="country"><option value="">${say('rules.all')}</option>${options}</select></div>
<div class="field"><label for="date">${say('rules.day')}</label>${withDay(html`<input id="date" name="date" type="date" value="${day}">`, reader, day)}</div>
${select('base', say('converter.from'), codeOf(base))}
${select('quote', say('converter.to'), codeOf(quote))}
<div class="field">${amountField(amount || USUAL_AMOUNT, reader)}</div>
<button class="primary">${say('rules.show')}</button></form>`;
}

function ruleCard(ruled: Ruled, request: PageRequest): Html {
  const { rule, source, pair, parameters, outcome } = ruled;
  const { formats, say } = request.reader;
  const href = `/v2/convert/${pair.base}/${pair.quote}?${new URLSearchParams(parameters)}`;
  return html`<article class="card rule"><h2><small>${formats.country(rule.jurisdiction)}</small> ${say(`rules.uses.${rule.use}` as MessageKey)}</h2>
${'problem' in outcome ? noRate(outcome, ruled, request) : rateOf(outcome, ruled, request.reader)}
${facts({
  [say('rules.rate')]: say(`rules.picks.${rule.day}.${rule.pick}` as MessageKey),
  [say('status.column.name')]: html`<a href="/provider/${rule.source}">${source?.name ?? rule.source}</a>`,
  [say('rules.law')]: citationOf(rule),
  [say('rules.programs')]: html`<a href="${href}"><code dir="ltr">rule=${rule.id}</code></a>`,
})}</article>`;
}

/** With a link to the newest day of the source, unless that was tried. */
function noRate({ problem }: Problem, { asked, newest, date }: Ruled, request: PageRequest): Html {
  const { formats, say } = request.reader;
  // The source may have rates of other currencies on its newest day.
  const isKnown = asked.isGiven && newest !== null && newest !== date;
  return html`<p class="none"><strong>${say('rules.none', { date: formats.date(date) })}</strong> ${newest === null ? say('rules.never') : problem}
${isKnown && html`<a href="${pathWith('/rules', request.target, { date: newest })}">${say('rules.newest', { date: formats.date(newest) })}</a>`}</p>`;
}

/** The rate of another day than the requested one says so. */
function rateOf(conversion: Conversion, { asked, date, parameters }: Ruled, reader: Reader): Html {
  const { formats, say } = reader;
  const { from, to } = parameters;
  const result = resultOf({ ...conversion, ...(from && to && { mean: { from, to } }) }, reader, false);
  const days = { date: formats.date(asked.date), other: formats.date(date) };
  return html`${date !== asked.date && html`<p class="other-day">${say('rules.other', days)}</p>`}
<p class="result">${answerOf(result)}</p>`;
}

function citationOf({ citation, law }: Rule | UnavailableRule): Html {
  return html`<a href="${law}" rel="noreferrer" lang="en" dir="ltr">${unbroken(citation)}</a>`;
}

function unavailable(query: RulesQuery, reader: Reader): Html {
  const { formats, say } = reader;
  const shown = unavailableRules().filter((rule) => isShown(rule, query));
  const items = shown.map(
    (rule) =>
      html`<li><strong>${formats.country(rule.jurisdiction)}: ${say(`rules.uses.${rule.use}` as MessageKey)}</strong> <small>${citationOf(rule)}: ${say(`rules.reasons.${rule.id}` as MessageKey)}. ${say('rules.missing', { key: rule.source })}</small></li>`,
  );
  return html`${items.length > 0 && html`<section class="card"><h2>${say('rules.unavailable')}</h2><ul class="unavailable">${items}</ul></section>`}`;
}

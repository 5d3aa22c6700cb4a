import type { Proposal } from '../../../core/database/decisions.js';
import { type RatesAround, readRatesAround } from '../../../core/database/rates-around.js';
import {
  conflictingRates,
  countSuspects,
  type ListedSuspect,
  readSuspects,
} from '../../../core/database/suspects.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { type Html, html } from '../../pages/shared/html.js';
import { dateAxis, levelAxis, linesOf, placeIn, runsOf, SIZE } from '../../pages/shared/line-chart.js';
import { levelsOf } from '../../pages/shared/ticks.js';
import { SUSPECT_ID } from '../admin/requests.js';
import { formats } from './english.js';
import type { ConsoleDependencies, PageMaker } from './errand.js';
import { jobProgress } from './jobs.js';
import {
  decisionLink,
  differenceOf,
  questionOf,
  reasonOf,
  SUSPECT_COLUMNS,
  statusChip,
  VERDICTS_ON,
} from './suspects.js';
import { section, table } from './table.js';

const MOST_RATES = 300;

/** A suspect, what it was held against, and the way to deciding on it. */
export const suspectPage: PageMaker = async (dependencies, { params, query }) => {
  const { database } = dependencies;
  const suspect = await findSuspect(dependencies, params.id);
  const { id, provider, date } = suspect;
  const [progress, around, rest, held, { held: left = 0 }] = await Promise.all([
    jobProgress(dependencies, query.get('job')),
    readRatesAround(database, suspect),
    questionAround(dependencies, suspect),
    readSuspects(database, { statuses: ['held'], byDay: true }, 2),
    countSuspects(database, {}),
  ]);
  const next = held.find((one) => one.id !== id);
  return {
    title: `${provider} ${questionOf(suspect)}`,
    heading: html`<span class="code">${provider}</span> ${questionOf(suspect)}, ${formats.date(date)}`,
    body: html`<div id="job" data-live>${progress}</div>
<div class="sections" id="suspect-${id}" data-live>
<div class="halves"><section class="card">${finding(suspect)}${evidence(suspect)}${decisions(suspect)}${next && html`<p class="hint">${left} to decide. <a href="/admin/suspects/${next.id}">Next suspect</a></p>`}</section>
<section class="card">${suspectChart(suspect, around)}</section></div>
${rest}</div>`,
  };
};

/** Throws an HttpError 404. */
export async function findSuspect({ database }: ConsoleDependencies, id = ''): Promise<ListedSuspect> {
  const [suspect] = SUSPECT_ID.test(id) ? await readSuspects(database, { id }, 1) : [];
  if (!suspect) throw new HttpError(404, 'no such suspect');
  return suspect;
}

export function finding(suspect: ListedSuspect): Html {
  const { provider, base, quote, rate, expected, evidence, status, resolvedAt, resolvedBy } = suspect;
  const usual = evidence.usual && ` The typical move of the pair is ${formats.percent(evidence.usual)}.`;
  const by = resolvedBy !== null && ` by ${resolvedBy}`;
  return html`<p>${statusChip(status)}${resolvedAt && html` <small>${formats.instant(resolvedAt)}${by}</small>`}</p>
<p class="figure">1 ${base} = ${formats.shown(rate)} ${quote}</p>
<p>${reasonOf(suspect)}: ${differenceOf(rate, expected)}, where ${formats.rate(expected)} was expected.${usual} Source: <a href="/admin/sources/${provider}">${providerOf(provider)?.name ?? provider}</a>.</p>`;
}

function decisions({ id, status, rates, evidence: { follows } }: ListedSuspect): Html {
  const verdicts = VERDICTS_ON[status];
  if (!verdicts) return html`<p>The source has restated the rate: there is nothing to decide.</p>`;
  const all = rates > 1 ? ` all ${rates} rates` : '';
  const links = (only?: Proposal['only']) =>
    verdicts.map((verdict) => decisionLink(id, verdict, only ? ' only this rate' : all, only));
  return html`<p class="acts">${follows === undefined && links()}${(rates > 1 || follows !== undefined) && links('rate')}</p>`;
}

function evidence(suspect: ListedSuspect): Html {
  const { provider, rate, evidence } = suspect;
  const compared = conflictingRates(suspect);
  const shown = table(compared, [
    { label: 'Source', of: (one) => `${one.provider}${one.provider === provider ? ', its last rate' : ''}` },
    { label: 'Day', look: 'date', of: (one) => formats.shortDate(one.date) },
    { label: 'Rate', look: 'number', of: (one) => formats.rate(one.rate) },
    { label: 'Difference', look: 'number state', of: (one) => differenceOf(rate, one.rate) },
  ]);
  const only = compared.length === 1 && evidence.last;
  return html`<div><h2>Compared with</h2>${shown}<p class="hint">${only ? 'No other source had the currency.' : 'Converted to the same pair.'}</p></div>`;
}

/** The other rates of the question, or the question that a rate is part of. Undefined if it is about this rate alone. */
async function questionAround(
  { database }: ConsoleDependencies,
  { id, provider, date, rates, evidence: { follows } }: ListedSuspect,
): Promise<Html | undefined> {
  const isLeader = follows === undefined;
  if (isLeader && rates === 1) return undefined;
  const which = isLeader ? { inQuestion: id } : { providers: [provider], from: date, to: date };
  const found = await readSuspects(database, which, MOST_RATES);
  const shown = found.filter(({ base, quote }) => isLeader || `${provider} ${base} ${quote}` === follows);
  return section(
    isLeader ? 'Other rates of the table' : 'Its table',
    html`<p class="hint">The currency of the source moved against all of them alike. They share the verdict, unless you decide on a rate alone.</p>${table(shown, SUSPECT_COLUMNS)}`,
  );
}

/** A share of the range between the highest and the lowest rate. */
const MARGIN = 0.08;

/** A suspect among the rates of its source and of the sources that it was compared with. */
export function suspectChart(suspect: ListedSuspect, { own, others }: RatesAround): Html {
  const { provider, base, quote, date, rate, expected } = suspect;
  const all = [...own, ...others, { date, rate }, { date, rate: expected }];
  const dates = [...new Set(all.map((one) => one.date))].sort();
  const [low, high] = [Math.min(...all.map((one) => one.rate)), Math.max(...all.map((one) => one.rate))];
  const room = (high - low || high * MARGIN) * MARGIN;
  const range = [Math.max(0, low - room), high + room] as const;
  const span = { from: dates[0] ?? date, to: dates.at(-1) ?? date };
  const place = placeIn(range, span, SIZE);
  const yOf = (level: number) => place({ date, rate: level }).y;
  const levels = levelsOf(range, formats, 'linear').map((one) => ({ ...one, y: yOf(one.rate) }));
  const label = `${base}/${quote} from ${formats.date(span.from)} to ${formats.date(span.to)}: ${provider}, and the median of other sources`;
  return html`<figure><h2>60 days before and after</h2><div class="plot">${levelAxis(levels, { text: formats.shown(rate), y: yOf(rate) })}<svg class="line-chart" viewBox="0 0 ${SIZE.width} ${SIZE.height}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="${levels.map(({ y }) => `M0 ${y.toFixed(1)}H${SIZE.width}`)}"/><path class="compared" d="${linesOf(runsOf(others, 'day'), place)}"/><path class="line" d="${linesOf(runsOf(own, 'day'), place)}"/><path class="expected" d="${linesOf([[{ date, rate: expected }]], place)}"/><path class="suspect" d="${linesOf([[{ date, rate }]], place)}"/></svg>${dateAxis(dates, place, formats)}</div>
<figcaption class="legend"><span class="key key-line">${provider}</span>${others.length > 0 && html`<span class="key key-compared">Median of other sources</span>`}<span class="key key-suspect">This rate, ${formats.day(date)}</span><span class="key key-expected">Expected ${formats.rate(expected)}</span></figcaption></figure>`;
}

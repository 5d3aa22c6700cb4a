import type { ProviderActivity } from '../../core/database/provider-activity.js';
import { addDays, type CalendarDate } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';
import { chartIn, chartSection } from './chart-section.js';
import { currencyHead } from './currency-name.js';
import type { PageData } from './data.js';
import { isMessageKey } from './languages.js';
import type { Page } from './layout.js';
import { notFoundPage } from './not-found.js';
import { plainError } from './plain-error.js';
import { DEVIATION_TICKS, dayStrip, deviationChart, instant, notesOn, stateChip } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { frequentFirst } from './shared/frequent-currencies.js';
import { type Html, html } from './shared/html.js';
import type { SeriesRequest, Span } from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';
import { readSources, type Source, type SourcesOfPages } from './sources.js';

/** A provider's own currency is shown against the first of these that it publishes. */
const PARTNERS = ['USD', 'EUR', 'GBP', 'CHF', 'JPY'];
/** Longer lists of rates are closed at first. */
const MOST_OPEN = 40;

export async function providerPage(from: SourcesOfPages, request: PageRequest): Promise<Page> {
  const { data } = from;
  const { reader } = request;
  const { say } = reader;
  const { key: wanted = '' } = request.context.params;
  const sources = await readSources(from);
  const source = sources.find(({ provider }) => provider.key === wanted.trim().toUpperCase());
  if (!source) return notFoundPage({ what: 'source', wanted }, data, reader);
  const { provider, state, lately, lastError } = source;
  const { key, name, end_date: end } = provider;
  const rates = end && (await ratesOf(provider, end, data, request));
  return {
    title: `${name} (${key}) · Almanac`,
    summary: say('provider.summary', { name }),
    path: `/provider/${key}`,
    section: 'providers',
    script: 'series.ts',
    body: html`<p class="crumbs"><a href="/providers">${say('frame.providers')}</a></p>
<h1><span class="code">${key}</span> ${name}</h1>
<p class="lead">${stateChip(state, say)} ${plainError(lastError, say) ?? say(`states.${state}.sentence`)}</p>
${factsOf(source, data, reader)}
${activityOf(lately, data.today(), reader)}
${rates}`,
  };
}

function factsOf(source: Source, data: PageData, reader: Reader): Html {
  const { formats, say } = reader;
  const { provider, state, next, lately } = source;
  const { last_success_at: read } = provider;
  const since = state === 'failing' ? lately?.failingSince?.toISOString() : undefined;
  const notes = notesOn(source, data.today(), reader);
  const at = (iso: string) => instant(iso, data.now(), reader);
  return html`<dl class="facts card">
${provider.country_code && html`<div><dt>${say('provider.country')}</dt><dd>${formats.country(provider.country_code)}</dd></div>`}
<div><dt>${say('provider.publishes')}</dt><dd>${typeOf(provider, reader)}${provider.publish_cadence && ` · ${say(`provider.cadence.${provider.publish_cadence}`)}`}</dd></div>
<div><dt>${say('currency.since')}</dt><dd>${provider.start_date ? formats.date(provider.start_date) : say('provider.noneYet')}</dd></div>
<div><dt>${say('provider.newest')}</dt><dd>${provider.end_date ? formats.date(provider.end_date) : say('provider.noneYet')}</dd></div>
${next && html`<div><dt>${say('provider.next')}</dt><dd>${at(next)}</dd></div>`}
<div><dt>${say('provider.lastRead')}</dt><dd>${read ? at(read) : say('provider.notYet')}</dd></div>
${since && html`<div><dt>${say('facts.failingSince')}</dt><dd>${at(since)}</dd></div>`}
${notes.length > 0 && html`<div><dt>${say('status.column.notes')}</dt><dd>${notes.join(', ')}</dd></div>`}
<div><dt>${say('frame.currencies')}</dt><dd>${formats.count(provider.currencies.length)}</dd></div>
<div><dt>${say('provider.blended')}</dt><dd>${say(provider.blended ? 'provider.yes' : 'provider.no')}</dd></div>
<div><dt>${say('provider.licence')}</dt><dd>${termsOf(provider, reader)}</dd></div>
${provider.homepage && html`<div><dt>${say('provider.site')}</dt><dd><a href="${provider.homepage}" rel="noreferrer">${new URL(provider.homepage).host}</a></dd></div>`}
${provider.data_url && html`<div><dt>${say('provider.data')}</dt><dd><a href="${provider.data_url}" rel="noreferrer">${say('provider.where')}</a></dd></div>`}
</dl>`;
}

/** In the language of the reader, unless only its source uses the term. */
function typeOf({ rate_type: type }: ListedProvider, { say }: Reader): Html | string {
  if (type === null) return say('provider.rates');
  const key = `provider.types.${type}`;
  return isMessageKey(key) ? say(key) : html`<span lang="en">${type}</span>`;
}

function activityOf(lately: ProviderActivity | undefined, today: CalendarDate, reader: Reader): Html {
  const { formats, say } = reader;
  const deviation = lately?.deviation;
  const ends = [addDays(today, 1 - ACTIVITY_DAYS), today];
  return html`<section class="card pair"><div><h2>${say('status.column.days', { days: ACTIVITY_DAYS })}</h2>${dayStrip(lately, today, reader)}<p class="ends" dir="ltr">${ends.map((date) => html`<span dir="auto">${formats.shortDate(date)}</span>`)}</p><p class="hint">${say('provider.bars')}</p></div>
${
  deviation &&
  html`<div><h2>${say('provider.deviation')}</h2>${deviationChart(deviation, reader)}<p class="ends ticks" dir="ltr">${DEVIATION_TICKS.map((share) => html`<span>${formats.percent(share)}</span>`)}</p><p class="hint">${say('provider.within', { median: formats.percent(deviation.median), most: formats.percent(deviation.most) })}</p></div>`
}</section>`;
}

function termsOf(
  { terms_url: url, terms_restrict: restricted }: ListedProvider,
  { say }: Reader,
): Html | string {
  if (!url && !restricted) return say('provider.noTerms');
  const terms = url
    ? html`<a href="${url}" rel="noreferrer">${say('provider.terms')}</a>`
    : say('provider.terms');
  return html`${terms}${restricted && html`; ${say('provider.restrict')} <span lang="en" dir="ltr">${restricted}</span>`}`;
}

async function ratesOf(
  provider: ListedProvider,
  end: string,
  data: PageData,
  { target, context, reader }: PageRequest,
): Promise<Html> {
  const { key, kind, currencies: published } = provider;
  const own = provider.pivot_currency ?? published[0] ?? 'USD';
  const partner = PARTNERS.find((code) => code !== own && published.includes(code)) ?? published[0] ?? 'USD';
  const isOfficial = kind === 'official' || providerOf(key)?.period !== undefined;
  const month = await data.month({ base: own, newest: end, provider: key }, context);
  if (isOfficial) return newestTable(own, month, reader);
  // Most providers quote foreign currencies in their own. Those of a major currency quote it in foreign ones.
  const [base, quote] = PARTNERS.includes(own) ? [own, partner] : [partner, own];
  const series: SeriesRequest = {
    base,
    quote,
    ...chartIn(target, usualSpan(provider)),
    newest: end,
    provider: key,
  };
  const rows = await data.series(series, context);
  return html`${chartSection({
    request: series,
    rows: shownOf(rows, series.span),
    reader,
    start: provider.start_date ?? end,
    hrefOf: (one) => `/provider/${key}?${new URLSearchParams(one)}`,
  })}
${newestTable(own, month, reader)}`;
}

/** A year of monthly rates is too few for a line. */
function usualSpan({ publish_cadence: cadence }: ListedProvider): Span {
  return cadence === 'monthly' || cadence === 'quarterly' ? '5y' : '1y';
}

function newestTable(base: string, month: ReadonlyMap<string, RateRow[]>, { formats, say }: Reader): Html {
  const lines = frequentFirst([...month.keys()].sort()).flatMap((code) => {
    const last = month.get(code)?.at(-1);
    if (!last || code === base) return [];
    return html`<tr>${currencyHead(code, formats)}<td class="number">${formats.decimal(String(last.rate))}</td><td class="number date">${formats.day(last.date)}</td></tr>`;
  });
  return html`<details class="card"${lines.length <= MOST_OPEN && html` open`}><summary><h2>${say('provider.itsNewest')} (${formats.count(lines.length)})</h2></summary>
<table class="rates"><thead><tr><th scope="col">${say('currencies.currency')}</th><th scope="col" class="number">${say('newest.price', { base })}</th><th scope="col" class="number date">${say('chart.date')}</th></tr></thead>
<tbody>${lines}</tbody></table></details>`;
}

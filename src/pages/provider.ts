import { currencies } from '../../core/domain/currencies.js';
import { providerOf } from '../../core/domain/providers.js';
import type { CatalogueHolder } from '../catalogue/holder.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import type { ReadActivity } from './activity.js';
import { chartSection } from './chart-section.js';
import type { PageData } from './data.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import { notFoundPage } from './not-found.js';
import { plainError } from './plain-error.js';
import { dayStrip, deviationChart, nextExpected, notesOn, stateChip, stateOf } from './provider-facts.js';
import type { PageRequest, Reader } from './reader.js';
import { isSpan, type SeriesRequest, type Span } from './shared/requests.js';
import { type RateRow, shownOf } from './shared/rows.js';

interface Dependencies {
  data: PageData;
  catalogue: Pick<CatalogueHolder, 'current'>;
  activity: ReadActivity;
}

/** The currencies that a provider's own is shown against, the first of them that it publishes. */
const PARTNERS = ['USD', 'EUR', 'GBP', 'CHF', 'JPY'];

/** `GET /provider/{key}`: what a provider is, how it is doing, its chart and its newest rates. */
export async function providerPage(
  span: string | undefined,
  { data, catalogue, activity: readActivity }: Dependencies,
  { reader, context }: PageRequest,
): Promise<Page> {
  const { formats, messages } = reader;
  const say = messages.provider;
  const { key = '' } = context.params;
  const wanted = key.trim().toUpperCase();
  const providers = data.providers();
  const provider = providers.find((one) => one.key === wanted);
  if (!provider) {
    return notFoundPage({ what: 'source', wanted: key }, data, reader);
  }
  const lately = (await readActivity(data.today())).get(provider.key);
  const lastError = catalogue.current()?.providers.get(provider.key)?.lastError ?? null;
  const coverageStart = providerOf(provider.key)?.coverage_start ?? null;
  const today = data.today();
  const reading = data.reading();
  const state = stateOf(provider, reading);
  const next = nextExpected(provider, reading);
  const notes = notesOn(provider, { lately, lastError: null, coverageStart, today, state, reader });
  const { deviation = null } = lately ?? {};
  const rates =
    provider.end_date && (await ratesOf(provider, provider.end_date, span, { data, context, reader }));
  return {
    title: `${provider.name} (${provider.key}) · Almanac`,
    summary: say.summary(provider.name),
    path: `/provider/${provider.key}`,
    section: 'providers',
    script: 'series.ts',
    body: html`<p class="crumbs"><a href="/providers">${messages.frame.providers}</a></p>
<h1><span class="code">${provider.key}</span> ${provider.name}</h1>
<p class="lead">${stateChip(state, messages)} ${plainError(lastError, messages) ?? messages.states[state].sentence}</p>
<dl class="facts card">
${provider.country_code && html`<div><dt>${say.country}</dt><dd>${formats.country(provider.country_code)}</dd></div>`}
<div><dt>${say.publishes}</dt><dd>${provider.rate_type ? html`<span lang="en">${provider.rate_type}</span>` : say.rates}${provider.publish_cadence && ` · ${say.cadence[provider.publish_cadence]}`}</dd></div>
<div><dt>${say.since}</dt><dd>${provider.start_date ? formats.date(provider.start_date) : say.noneYet}</dd></div>
<div><dt>${say.newest}</dt><dd>${provider.end_date ? formats.date(provider.end_date) : say.noneYet}</dd></div>
${next && html`<div><dt>${say.next}</dt><dd>${formats.instant(next)}</dd></div>`}
<div><dt>${say.lastRead}</dt><dd>${provider.last_success_at ? formats.instant(provider.last_success_at) : say.notYet}</dd></div>
${notes.length > 0 && html`<div><dt>${say.notes}</dt><dd>${notes.join(', ')}</dd></div>`}
<div><dt>${say.currencies}</dt><dd>${formats.count(provider.currencies.length)}</dd></div>
<div><dt>${say.blended}</dt><dd>${provider.blended ? say.yes : say.no}</dd></div>
<div><dt>${say.licence}</dt><dd>${termsOf(provider, reader)}</dd></div>
${provider.homepage && html`<div><dt>${say.site}</dt><dd><a href="${provider.homepage}" rel="noreferrer">${new URL(provider.homepage).host}</a></dd></div>`}
${provider.data_url && html`<div><dt>${say.data}</dt><dd><a href="${provider.data_url}" rel="noreferrer">${say.where}</a></dd></div>`}
</dl>
<section class="card pair"><div><h2>${say.days}</h2>${dayStrip({ days: lately?.days ?? [], thinDays: lately?.thinDays ?? [] }, today, reader)}</div>
${
  deviation &&
  html`<div><h2>${say.deviation}</h2>${deviationChart(deviation, reader)}<p class="hint">${say.within(formats.percent(deviation.median), formats.percent(deviation.most))}</p></div>`
}</section>
${rates}`,
  };
}

function termsOf(
  { terms_url: url, terms_restrict: restricted }: ListedProvider,
  { messages: { provider: say } }: Reader,
): Html | string {
  if (!url && !restricted) return say.noTerms;
  const terms = url ? html`<a href="${url}" rel="noreferrer">${say.terms}</a>` : say.terms;
  return html`${terms}${restricted && `: ${say.restrict(restricted)}`}`;
}

interface Reading {
  data: PageData;
  context: RequestContext;
  reader: Reader;
}

async function ratesOf(
  provider: ListedProvider,
  end: string,
  span: string | undefined,
  { data, context, reader }: Reading,
): Promise<Html> {
  const { key, kind, currencies: published } = provider;
  const own = provider.pivot_currency ?? published[0] ?? 'USD';
  const partner = PARTNERS.find((code) => code !== own && published.includes(code)) ?? published[0] ?? 'USD';
  const isOfficial = kind === 'official' || providerOf(key)?.period !== undefined;
  const month = await data.month({ base: own, newest: end, provider: key }, context);
  if (isOfficial) return newestTable(own, month, reader);
  // Most say what foreign money costs in their own; those whose own money is what others are measured in, the opposite.
  const [base, quote] = PARTNERS.includes(own) ? [own, partner] : [partner, own];
  const series: SeriesRequest = {
    base,
    quote,
    span: spanOf(span, provider),
    newest: end,
    provider: key,
  };
  const rows = await data.series(series, context);
  return html`${chartSection({
    request: series,
    rows: shownOf(rows, series.span),
    reader,
    hrefOf: (one) => `/provider/${key}?span=${one}`,
  })}
${newestTable(own, month, reader)}`;
}

/** Who publishes once a month has too few rates in a year for a line. */
function spanOf(span: string | undefined, { publish_cadence: cadence }: ListedProvider): Span {
  if (isSpan(span)) return span;
  return cadence === 'monthly' || cadence === 'quarterly' ? '5y' : '1y';
}

function newestTable(
  base: string,
  month: ReadonlyMap<string, RateRow[]>,
  { formats, messages: { provider: say, currencies: columns } }: Reader,
): Html {
  const lines = [...month].flatMap(([code, rows]) => {
    const last = rows.at(-1);
    return last && code !== base ? [{ code, last }] : [];
  });
  return html`<section class="card"><h2>${say.itsNewest}</h2>
<table class="rates"><thead><tr><th scope="col">${columns.currency}</th><th scope="col" class="number">${say.one(base)}</th><th scope="col" class="number date">${say.date}</th></tr></thead>
<tbody>${lines
    .sort((one, other) => (one.code < other.code ? -1 : 1))
    .map(
      ({ code, last }) =>
        html`<tr><th scope="row"><a href="/currency/${code}">${code}</a> <small>${formats.currency(code) ?? currencies.get(code)?.name}</small></th><td class="number">${formats.decimal(String(last.rate))}</td><td class="number date">${formats.day(last.date)}</td></tr>`,
    )}</tbody></table></section>`;
}

import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { addDays } from '../../core/domain/dates.js';
import { providerOf } from '../../core/domain/providers.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS } from './activity.js';
import { chartSection } from './chart-section.js';
import { currencyHead, frequentFirst } from './currency-name.js';
import type { PageData } from './data.js';
import { dayStrip, stripKey } from './day-strip.js';
import type { Page } from './layout.js';
import { notFoundPage } from './not-found.js';
import { instant, notesOn, plainError, stateChip } from './provider-facts.js';
import { isMessageKey, type PageRequest, parametersOf, type Reader } from './reader.js';
import { facts, type Html, html } from './shared/html.js';
import { lookOf, type SeriesRequest, spansSince } from './shared/requests.js';
import type { RateRow } from './shared/rows.js';
import { readSources, type Source } from './sources.js';

/** A provider of one of these quotes it in foreign currencies. Others quote foreign currencies in their own. */
const MAJOR = ['USD', 'EUR', 'GBP', 'CHF', 'JPY'];
/** Of a rate that is stored inverted: without the error of the inversion. */
const INVERTED_DIGITS = 10;
/** Longer lists of rates are closed at first. */
const MOST_OPEN = 40;

export async function providerPage(data: PageData, request: PageRequest): Promise<Page> {
  const { reader } = request;
  const { formats, say } = reader;
  const { key: wanted = '' } = request.context.params;
  const sources = await readSources(data);
  const source = sources.find(({ provider }) => provider.key === wanted.trim().toUpperCase());
  if (!source) return notFoundPage('source', wanted, data, reader);
  const { provider, state } = source;
  const { key, name, end_date: end } = provider;
  const keyless =
    state === 'needs_key' && end ? say('provider.keyless', { date: formats.date(end) }) : undefined;
  const rates = end ? await ratesOf(provider, end, data, request) : undefined;
  return {
    title: `${name} (${key}) · Almanac`,
    summary: say('provider.summary', { name }),
    path: `/provider/${key}`,
    section: 'providers',
    script: 'chart.ts',
    body: html`<p class="crumbs"><a href="/providers">${say('frame.providers')}</a></p>
<h1><span class="code">${key}</span> ${name}</h1>
<p class="lead">${stateChip(state, say)} ${keyless ?? plainError(source.lastError, say) ?? say(`states.${state}.sentence`)}</p>
<p class="lead">${leadOf(provider, reader)}</p>
${rates?.chart}
${factsOf(source, data, reader)}
${end && activityOf(source, data, reader)}
${rates?.table}`,
  };
}

/** Of which country it is, what it publishes and how often, and where. */
function leadOf(provider: ListedProvider, reader: Reader): Html {
  const { formats, say } = reader;
  const { country_code: country, publish_cadence: cadence, start_date: start, homepage } = provider;
  const cadenceText = cadence && ` · ${say(`provider.cadence.${cadence}`)}`;
  const since =
    start && ` · ${say('provider.since', { count: provider.currencies.length, start: formats.date(start) })}`;
  const site = homepage && html` · <a href="${homepage}" rel="noreferrer">${new URL(homepage).host}</a>`;
  return html`${country && `${formats.country(country)} · `}${typeOf(provider, reader)}${cadenceText}${since}${site}`;
}

function factsOf(source: Source, data: PageData, reader: Reader): Html {
  const { provider, state, next, lately } = source;
  const { formats, say } = reader;
  const notes = notesOn(source, data.today(), reader);
  const never = lately?.shippedTo ? 'provider.shipped' : 'provider.notYet';
  const { end_date: end, last_success_at: read, data_url: dataUrl, blended } = provider;
  const since = state === 'failing' && lately?.failingSince?.toISOString();
  const at = (iso: string) => instant(iso, data.now(), reader);
  return html`<section class="card of-source">${facts({
    [say('provider.newest')]: end ? formats.date(end) : say('provider.noneYet'),
    [say('status.column.next')]: state !== 'needs_key' && next && at(next),
    [say('facts.failingSince')]: since && at(since),
    [say('provider.lastRead')]: read ? at(read) : say(never),
    [say('provider.blended')]: say(blended ? 'provider.yes' : 'provider.no'),
    [say('provider.licence')]: termsOf(provider, reader),
    [say('provider.site')]:
      dataUrl && html`<a href="${dataUrl}" rel="noreferrer">${say('provider.where')}</a>`,
    [say('status.column.notes')]: notes.length > 0 && html`${notes.map((note) => html`<p>${note}</p>`)}`,
  })}</section>`;
}

/** In the language of the reader, unless only its source uses the term. */
function typeOf({ rate_type: type }: ListedProvider, { say }: Reader): Html | string {
  if (type === null) return say('provider.rates');
  const key = `provider.types.${type}`;
  return isMessageKey(key) ? say(key) : html`<span lang="en">${type}</span>`;
}

function activityOf(source: Source, data: PageData, reader: Reader): Html {
  const { formats, say } = reader;
  const deviation = source.lately?.deviation;
  return html`<section class="card pair"><div><h2>${say('status.column.days', { days: ACTIVITY_DAYS })}</h2>${dayStrip(source, data.now(), reader)}${stripKey(reader)}</div>
${
  deviation &&
  html`<div><h2>${say('status.column.deviation')}</h2><p class="distance">${formats.percent(deviation.median)}</p><p class="hint">${say('provider.within', { median: formats.percent(deviation.median), most: formats.percent(deviation.most) })}</p></div>`
}</section>`;
}

function termsOf(
  { terms_url: url, terms_restrict: restricted }: ListedProvider,
  { say }: Reader,
): Html | string {
  if (!url && !restricted) return say('provider.noTerms');
  const terms = say('provider.terms');
  return html`${url ? html`<a href="${url}" rel="noreferrer">${terms}</a>` : terms}${restricted && html`; ${say('provider.restrict')} <span lang="en" dir="ltr">${restricted}</span>`}`;
}

/** An official rate has no chart, as it is set for a period. */
async function ratesOf(
  { key, kind, currencies: published, pivot_currency: pivot, ...provider }: ListedProvider,
  end: string,
  data: PageData,
  page: PageRequest,
): Promise<{ chart?: Html; table: Html }> {
  const { target, context, reader } = page;
  const own = pivot ?? published[0] ?? 'USD';
  const month = await data.month({ base: own, newest: end, providers: key }, context);
  const table = newestTable(own, month, reader);
  if (kind === 'official' || providerOf(key)?.period !== undefined) return { table };
  const query = Object.fromEntries(parametersOf(target));
  const partners = frequentFirst([...month.keys()].sort()).filter((code) => code !== own);
  const partner = partners.find((code) => code === query.currency) ?? partners[0] ?? published[0] ?? 'USD';
  const isBase = MAJOR.includes(own);
  const pairOf = (code: string) => ({ base: isBase ? own : code, quote: isBase ? code : own });
  // A year of monthly rates is too few for a line.
  const isRare = provider.publish_cadence === 'monthly' || provider.publish_cadence === 'quarterly';
  const [start, wanted] = [provider.start_date ?? end, isRare ? '5y' : '1y'] as const;
  const spans = spansSince(start, end);
  const usual = spans.includes(wanted) ? wanted : (spans.at(-1) ?? wanted);
  const request: SeriesRequest = { ...pairOf(partner), ...lookOf(query, usual), newest: end, provider: key };
  const hasEnded = end < addDays(data.today(), -WINDOW_DAYS);
  const options = partners.map((code) => {
    const selected = code === partner && html` selected`;
    const { base, quote } = pairOf(code);
    return html`<option value="${code}"${selected}>${reader.say('chart.title', { base, quote })}</option>`;
  });
  const choice = html`<form class="pairs" action="/provider/${key}" method="get"><select name="currency" title="${reader.say('chart.pair')}" aria-label="${reader.say('chart.pair')}">${options}</select><input type="hidden" name="span" value="${request.span}"><button>${reader.say('rules.show')}</button></form>`;
  return { chart: await chartSection({ request, start, hasEnded, choice }, data, page), table };
}

/** As the provider quotes them. */
function newestTable(own: string, month: ReadonlyMap<string, RateRow[]>, { formats, say }: Reader): Html {
  const isForeign = MAJOR.includes(own);
  const quoted = (rate: number) => (isForeign ? rate : Number((1 / rate).toPrecision(INVERTED_DIGITS)));
  const price = isForeign ? say('newest.price', { base: own }) : say('provider.priceIn', { quote: own });
  const lines = frequentFirst([...month.keys()].sort()).flatMap((code) => {
    const last = month.get(code)?.at(-1);
    if (!last || code === own) return [];
    return html`<tr>${currencyHead(code, formats)}<td class="number">${formats.decimal(String(quoted(last.rate)))}</td><td class="number date">${formats.shortDate(last.date)}</td></tr>`;
  });
  return html`<details class="card"${lines.length <= MOST_OPEN && html` open`}><summary><h2>${say('provider.itsNewest')} (${formats.count(lines.length)})</h2></summary>
<table class="rates"><thead><tr><th scope="col">${say('currencies.currency')}</th><th scope="col" class="number">${price}</th><th scope="col" class="number date">${say('chart.date')}</th></tr></thead>
<tbody>${lines}</tbody></table></details>`;
}

import type { DescribedCurrency } from '../catalogue/schemas.js';
import { chartSection } from './chart-section.js';
import type { PageData } from './data.js';
import { html } from './html.js';
import type { Page } from './layout.js';
import { notFoundPage } from './not-found.js';
import type { PageRequest } from './reader.js';
import { isSpan, type SeriesRequest } from './shared/requests.js';
import { shownOf } from './shared/rows.js';

/** `GET /currency/{code}`: what a currency is, since when and from whom, its peg and its chart. */
export async function currencyPage(
  span: string | undefined,
  data: PageData,
  request: PageRequest,
): Promise<Page> {
  const { code = '' } = request.context.params;
  const currency = data.currency(code);
  if (currency) return pageOf(currency, span, data, request);
  const listed = data.currencies();
  return notFoundPage({
    what: 'currency',
    wanted: code,
    path: '/currency',
    known: listed.map(({ iso_code: key, name }) => ({ key, name })),
    all: 'All currencies',
    section: 'rates',
  });
}

async function pageOf(
  currency: DescribedCurrency,
  span: string | undefined,
  data: PageData,
  { reader, context }: PageRequest,
): Promise<Page> {
  const { formats } = reader;
  const { iso_code: own, peg } = currency;
  const other = own === 'USD' ? 'EUR' : 'USD';
  const newest = data.newest();
  // A currency that is no more has its chart up to its end.
  const end = currency.end_date < newest ? currency.end_date : newest;
  const series: SeriesRequest = { base: other, quote: own, span: isSpan(span) ? span : '1y', newest: end };
  const rows = await data.series(series, context);
  const names = new Map(data.providers().map(({ key, name }) => [key, name]));
  return {
    title: `${currency.name} (${own}) · Almanac`,
    summary: `The ${currency.name}, ${own}: its rate since ${currency.start_date}, and who publishes it.`,
    path: `/currency/${own}`,
    section: 'rates',
    script: 'series.ts',
    body: html`<p class="crumbs"><a href="/">Rates</a></p>
<h1><span class="code">${own}</span> ${currency.name}</h1>
<dl class="facts card">
<div><dt>Symbol</dt><dd>${currency.symbol}</dd></div>
<div><dt>ISO 4217 number</dt><dd>${currency.iso_numeric ?? 'none'}</dd></div>
<div><dt>Rates since</dt><dd>${formats.date(currency.start_date)}</dd></div>
<div><dt>Newest rate</dt><dd>${formats.date(currency.end_date)}</dd></div>
<div><dt>Published by</dt><dd>${formats.count(currency.providers.length)} ${currency.providers.length === 1 ? 'source' : 'sources'}</dd></div>
</dl>
${
  peg &&
  html`<p class="card note">Held at <strong>${formats.rate(peg.rate)} ${own}</strong> for one <a href="/currency/${peg.base}">${peg.base}</a> by ${peg.authority} (<a href="${peg.source}" rel="noreferrer">its statement</a>). The rate shown follows from that.</p>`
}
${chartSection({
  request: series,
  rows: shownOf(rows, series.span),
  reader,
  hrefOf: (one) => `/currency/${own}?span=${one}`,
})}
<section class="card"><h2>Who publishes it</h2>
${
  currency.providers.length === 0
    ? html`<p>No source publishes it: its rate follows from its peg.</p>`
    : html`<ul class="links">${currency.providers.map(
        (key) => html`<li><a href="/provider/${key}">${key}</a> <small>${names.get(key)}</small></li>`,
      )}</ul>`
}
</section>
<p><a class="button" href="/?base=${other}&amp;quote=${own}">Convert ${other} to ${own}</a></p>`,
  };
}

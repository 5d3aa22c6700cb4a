import { excerpt } from '../parameters/excerpt.js';
import { nearest } from '../parameters/hints.js';
import { currencyName } from './currency-name.js';
import type { PageData } from './data.js';
import type { Page } from './layout.js';
import type { Reader } from './reader.js';
import { html } from './shared/html.js';
import { detail } from './shared/problem.js';

interface NotFound {
  what: 'page' | 'currency' | 'source';
  wanted: string;
  message?: string | undefined;
}

interface Known {
  href: string;
  key: string;
  name: string;
}

const MOST_NEAR = 24;

export function notFoundPage({ what, wanted, message }: NotFound, data: PageData, reader: Reader): Page {
  const { say } = reader;
  const near = nearOnes(what, wanted, data, reader);
  const heading = say(`notFound.${what}`, { wanted: excerpt(wanted) });
  const suggestions =
    near.length > 0 &&
    html`<section class="card"><h2>${say('notFound.meant')}</h2><ul class="links with-names">${near.map(
      ({ href, key, name }) => html`<li><a href="${href}">${key}</a> <small>${name}</small></li>`,
    )}</ul></section>`;
  return {
    title: `${heading} · Almanac`,
    summary: heading,
    path: '/',
    section: what === 'page' ? 'rates' : what === 'currency' ? 'currencies' : 'providers',
    status: 404,
    body: html`<h1>${heading}</h1>
${message && html`<p class="lead">${detail(message)}</p>`}
${suggestions}
<form class="card filters" action="/currencies" method="get" role="search"><label class="visually-hidden" for="q">${say('status.search')}</label><input id="q" name="q" type="search" placeholder="${say('picker.search')}">
<button class="primary">${say('notFound.findCurrency')}</button> <button class="primary" formaction="/providers">${say('notFound.findSource')}</button></form>
<p><a class="button" href="/">${say('problem.toRates')}</a> <a class="button" href="/docs">${say('frame.reference')}</a></p>`,
  };
}

/** The currencies and sources whose code or name is similar to a word of the text. */
function nearOnes(what: NotFound['what'], wanted: string, data: PageData, { formats }: Reader): Known[] {
  const currencies = data.allCurrencies().map(({ iso_code: key }) => ({
    href: `/currency/${key}`,
    key,
    name: currencyName(key, formats),
  }));
  const providers = data.providers().map(({ key, name }) => ({ href: `/provider/${key}`, key, name }));
  const known = [...(what === 'source' ? [] : currencies), ...(what === 'currency' ? [] : providers)];
  const words = wanted
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2);
  const exact = known.filter(({ key }) => words.includes(key.toLowerCase()));
  if (exact.length > 0 && what === 'page') return exact;
  const keys = known.map(({ key }) => key);
  const nearKeys = words.flatMap((word) => nearest(word, keys));
  const isNamed = ({ name }: Known) =>
    words.some((word) => word.length > 3 && name.toLowerCase().includes(word));
  const near = known.filter((one) => nearKeys.includes(one.key) || isNamed(one));
  return [...new Set([...exact, ...near])].slice(0, MOST_NEAR);
}

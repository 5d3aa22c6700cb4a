import { excerpt } from '../parameters/excerpt.js';
import { nearest } from '../parameters/hints.js';
import { currencyName } from './currency-name.js';
import type { PageData } from './data.js';
import { frequentFirst } from './frequent-currencies.js';
import { notice, type Page } from './layout.js';
import type { Reader } from './reader.js';
import { html } from './shared/html.js';

interface NotFound {
  what: 'page' | 'currency' | 'source';
  wanted: string;
}

const MOST = 3;

/** Offers the most similar currencies or sources, or else the rates, and a search. */
export function notFoundPage({ what, wanted }: NotFound, data: PageData, reader: Reader): Page {
  const { say } = reader;
  const [near, ...others] = nearTo({ what, wanted }, data, reader);
  const heading = say(`notFound.${what}`, { wanted: excerpt(wanted) });
  const section = what === 'source' ? 'providers' : 'currencies';
  const search = say(what === 'source' ? 'status.search' : 'picker.search');
  const content = html`<div class="card way-on">${near && html`<p>${say('notFound.meant')}</p>`}
<p class="ways"><a class="button" href="${near?.href ?? '/'}">${near ? `${near.name} (${near.key})` : say('problem.toRates')}</a>${others.map(({ href, name, key }) => html` <a href="${href}">${name} (${key})</a>`)}</p>
<form class="find" action="/${section}" method="get" role="search"><label for="q">${search}</label><input id="q" name="q" type="search"><button class="primary">${say('frame.search')}</button></form></div>`;
  return { ...notice(heading, 404, content), ...(what !== 'page' && { section }) };
}

/** The currencies or sources whose codes or names are most similar to a word of the text, at most three. */
function nearTo({ what, wanted }: NotFound, data: PageData, { formats }: Reader) {
  const linked = (kind: string, key: string, name: string) => ({ href: `/${kind}/${key}`, key, name });
  const codes = data.allCurrencies().map(({ iso_code }) => iso_code);
  const currencies = codes.map((code) => linked('currency', code, currencyName(code, formats)));
  const providers = data.providers().map(({ key, name }) => linked('provider', key, name));
  const known = [...(what === 'source' ? [] : currencies), ...(what === 'currency' ? [] : providers)];
  const words: string[] = wanted.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const keys = known.map(({ key }) => key);
  const nearKeys = words.flatMap((word) => nearest(word, keys));
  const longWords = words.filter((word) => word.length > 3);
  const near = known.filter(
    ({ key, name }) => nearKeys.includes(key) || longWords.some((word) => name.toLowerCase().includes(word)),
  );
  const named = known.find(({ key }) => words.includes(key.toLowerCase()));
  const best = named ? [named.key] : frequentFirst(near.map(({ key }) => key));
  return best.slice(0, MOST).flatMap((code) => known.find(({ key }) => key === code) ?? []);
}

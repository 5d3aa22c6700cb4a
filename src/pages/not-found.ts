import { excerpt } from '../parameters/excerpt.js';
import { nearest } from '../parameters/hints.js';
import { currencyName, frequentFirst } from './currency-name.js';
import type { PageData } from './data.js';
import { notice, type Page } from './layout.js';
import type { Reader } from './reader.js';
import { html } from './shared/html.js';

type Kind = 'page' | 'currency' | 'source';

const MOST = 3;

/** Offers the most similar currencies or sources, or else the rates, and a search. */
export function notFoundPage(what: Kind, wanted: string, data: PageData, reader: Reader): Page {
  const { say } = reader;
  const [near, ...others] = nearTo(what, wanted, data, reader);
  const heading = say(`notFound.${what}`, { wanted: excerpt(wanted) });
  const section = what === 'source' ? 'providers' : 'currencies';
  const search = say(what === 'source' ? 'status.search' : 'picker.search');
  const content = html`<div class="card way-on">${near && html`<p>${say('notFound.meant')}</p>`}
<p class="ways"><a class="button" href="${near?.href ?? '/'}">${near ? `${near.name} (${near.key})` : say('problem.toRates')}</a>${others.map(({ href, name, key }) => html` <a href="${href}">${name} (${key})</a>`)}</p>
<form class="find" action="/${section}" method="get" role="search"><label for="q">${search}</label><input id="q" name="q" type="search"><button class="primary">${say('frame.search')}</button></form></div>`;
  return { ...notice(heading, 404, content), ...(what !== 'page' && { section }) };
}

/** The currencies or sources that a word of the text names, or else those with the most similar codes or names. */
function nearTo(what: Kind, wanted: string, data: PageData, { formats }: Reader) {
  const linked = (kind: string, key: string, name: string) => ({ href: `/${kind}/${key}`, key, name });
  const codes = frequentFirst(data.allCurrencies().map(({ iso_code }) => iso_code));
  const currencies = codes.map((code) => linked('currency', code, currencyName(code, formats)));
  const providers = data.providers().map(({ key, name }) => linked('provider', key, name));
  const known = [...(what === 'source' ? [] : currencies), ...(what === 'currency' ? [] : providers)];
  const words: string[] = wanted.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const keys = known.map(({ key }) => key);
  const nearKeys = words.flatMap((word) => nearest(word, keys));
  const isIn = (name: string) => words.some((word) => word.length > 3 && name.toLowerCase().includes(word));
  const near = known.filter(({ key, name }) => nearKeys.includes(key) || isIn(name));
  const named = known.filter(({ key }) => words.includes(key.toLowerCase()));
  return (named.length > 0 ? named : near).slice(0, MOST);
}

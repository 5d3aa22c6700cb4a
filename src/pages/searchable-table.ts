import { z } from 'zod';
import { lenientQuery } from '../parameters/query.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';
import { searchText } from './shared/search-text.js';

export const searchQuery = lenientQuery(z.object({ q: z.string().default('') }));

interface SearchableTable {
  path: string;
  text: string;
  label: string;
  heads: Html;
  lines: readonly { cells: Html; texts: readonly string[] }[];
}

/** The server searches when the form is sent, the script during typing. */
export function searchableTable({ path, text, label, heads, lines }: SearchableTable, { say }: Reader): Html {
  const words = searchText(text);
  const made = lines.map(({ cells, texts }) => {
    const own = searchText(texts.join(' '));
    return { cells, own, isFound: own.includes(words) };
  });
  const isAny = made.some(({ isFound }) => isFound);
  return html`<form class="filters" action="${path}" method="get" role="search" data-search>
<label class="visually-hidden" for="q">${label}</label><input id="q" name="q" type="search" placeholder="${label}" value="${text}">
<button class="visually-hidden">${say('status.find')}</button></form>
<table class="listing" data-listing${!isAny && html` hidden`}><thead><tr>${heads}</tr></thead>
<tbody>${made.map(
    ({ cells, own, isFound }) => html`<tr data-text="${own}"${!isFound && html` hidden`}>${cells}</tr>`,
  )}</tbody></table>
<p class="empty" role="status" data-none${isAny && html` hidden`}>${say('status.nothing')}</p>`;
}

import { excerpt } from '../http/excerpt.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';

/** What there is in place of what was asked for. */
interface Known {
  key: string;
  name: string;
}

interface NotFound {
  /** Such as `currency`. */
  what: string;
  /** What the reader asked for. */
  wanted: string;
  /** Where what there is has its pages, such as `/currency`. */
  path: string;
  known: readonly Known[];
  /** The heading of all that there is. */
  all: string;
  section: Page['section'];
}

const MOST_NEAR = 24;

/** A page of 404 with what the reader may have meant, and with all that there is. */
export function notFoundPage({ what, wanted, path, known, all, section }: NotFound): Page {
  const near = known.filter((one) => isNear(one, wanted)).slice(0, MOST_NEAR);
  const links = (entries: readonly Known[]) =>
    html`<ul class="links with-names">${entries.map(
      ({ key, name }) => html`<li><a href="${path}/${key}">${key}</a> <small>${name}</small></li>`,
    )}</ul>`;
  const suggestions: Html | undefined =
    near.length > 0 ? html`<section class="card"><h2>Did you mean</h2>${links(near)}</section>` : undefined;
  return {
    title: `No such ${what} · Almanac`,
    summary: `There is no such ${what} here.`,
    path: `${path}/${encodeURIComponent(wanted)}`,
    section,
    status: 404,
    body: html`<h1>There is no ${what} “${excerpt(wanted)}”</h1>
<p class="lead">${known.length > 0 ? 'Below is the list of all.' : 'There are none here yet.'}</p>
${suggestions}
${known.length > 0 && html`<section class="card"><h2>${all}</h2>${links(known)}</section>`}
<p><a class="button" href="/">To the rates</a></p>`,
  };
}

/** Whether one could be meant: its name has the word, or its key differs in one letter. */
function isNear({ key, name }: Known, wanted: string): boolean {
  const word = wanted.trim().toLowerCase();
  if (word.length > 2 && name.toLowerCase().includes(word)) return true;
  const own = key.toLowerCase();
  if (own.length !== word.length) return word.length > 2 && own.includes(word);
  return [...own].filter((letter, at) => letter !== word[at]).length === 1;
}

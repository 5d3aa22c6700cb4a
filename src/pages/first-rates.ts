import type { PageData } from './data.js';
import { readingText } from './data-age.js';
import type { Page } from './layout.js';
import type { Reader } from './reader.js';
import { html } from './shared/html.js';

const RELOADED_S = 5;

/** The page before the first rates. It reloads itself, without a script, until there are some. */
export function firstRatesPage(data: PageData, reader: Reader, isLoading: boolean): Page {
  const { say } = reader;
  const heading = say('first.heading');
  return {
    title: `${heading} · Almanac`,
    summary: heading,
    path: '/',
    section: 'rates',
    status: 503,
    refresh: RELOADED_S,
    body: html`<h1>${heading}</h1>
<p class="lead" role="status">${isLoading ? say('first.loading') : readingText(data, reader)}</p>
<p>${say('first.reloads')}</p>`,
  };
}

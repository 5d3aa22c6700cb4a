import type { PageData } from './data.js';
import { readingText } from './data-age.js';
import { notice, type Page } from './layout.js';
import type { Reader } from './reader.js';
import { html } from './shared/html.js';

const RELOADED_S = 5;

/** The page before the first rates. It reloads itself, without a script, until there are some. */
export function firstRatesPage(data: PageData, reader: Reader, isLoading: boolean): Page {
  const { say } = reader;
  const heading = say('first.heading');
  const content = html`<p class="lead" role="status">${isLoading ? say('first.loading') : readingText(data, reader)}</p>
<p>${say('first.reloads')}</p>`;
  return { ...notice(heading, 503, content), section: 'rates', refresh: RELOADED_S };
}

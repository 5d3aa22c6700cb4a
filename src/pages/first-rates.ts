import type { PageData } from './data.js';
import { progressOf, readingText } from './data-age.js';
import { notice, type Page } from './layout.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';

const RELOADED_S = 5;

/** The page before the first rates. It reloads itself, without a script, until there are some. */
export function firstRatesPage(data: PageData, reader: Reader, isLoading: boolean): Page {
  const { say } = reader;
  const heading = say('first.heading');
  const content = html`<p class="lead" role="status">${isLoading ? say('first.loading') : readingText(data, reader)}</p>
${progress(data, isLoading, reader)}
<p>${say('first.reloads')}</p>`;
  return { ...notice(heading, 503, content), section: 'rates', refresh: RELOADED_S };
}

/** Of the sources that are read; without a value while the rates that ship are loaded, which takes seconds. */
function progress(data: PageData, isLoading: boolean, { formats, say }: Reader): Html | undefined {
  const label = say('first.heading');
  if (isLoading) return html`<progress aria-label="${label}"></progress>`;
  const reading = data.reading();
  if (reading.state !== 'on' || reading.outage) return undefined;
  const { read, all } = progressOf(data.providers(), reading);
  return html`<p><progress aria-label="${label}" value="${read}" max="${Math.max(1, all)}"></progress> ${formats.percent(read / Math.max(1, all))}</p>`;
}

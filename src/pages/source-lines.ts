import type { CatalogueHolder } from '../catalogue/holder.js';
import type { Reading } from '../catalogue/reading.js';
import type { ListedProvider } from '../catalogue/schemas.js';
import { ACTIVITY_DAYS, type ReadActivity } from './activity.js';
import type { PageData } from './data.js';
import {
  dayStrip,
  deviationChart,
  nextExpected,
  notesOn,
  type SourceState,
  stateChip,
  stateOf,
} from './provider-facts.js';
import type { Reader } from './reader.js';
import { type Html, html } from './shared/html.js';

/** The inputs of the lines. */
export interface Dependencies {
  data: PageData;
  catalogue: Pick<CatalogueHolder, 'current'>;
  activity: ReadActivity;
}

/** A provider as a line of the list. */
export interface Line {
  provider: ListedProvider;
  state: SourceState;
  next: string | null;
  deviation: number | null;
  cells: Html;
}

/** Creates a line for every provider. */
export async function sourceLines(
  reading: Reading,
  { data, catalogue, activity: readActivity }: Dependencies,
  reader: Reader,
): Promise<Line[]> {
  const { formats, say } = reader;
  const today = data.today();
  const activity = await readActivity(today);
  const states = catalogue.current()?.providers;
  const lines: Line[] = [];
  for (const provider of data.providers()) {
    const { key, name, end_date: newest } = provider;
    const lately = activity.get(key);
    const deviation = lately?.deviation ?? null;
    const state = stateOf(provider, reading);
    const next = nextExpected(provider, reading);
    const notes = notesOn(provider, {
      lately,
      lastError: states?.get(key)?.lastError ?? null,
      today,
      state,
      reader,
    });
    lines.push({
      provider,
      state,
      next,
      deviation: deviation?.median ?? null,
      cells: html`<th scope="row"><a href="/provider/${key}">${key}</a> <small>${name}</small></th>
<td>${stateChip(state, say)}</td>
<td class="number" data-label="${say('status.column.newest')}">${newest ? formats.shortDate(newest) : '–'}</td>
${reading.state === 'on' && html`<td class="number" data-label="${say('status.column.next')}">${next ? formats.instant(next) : '–'}</td>`}
<td class="wide" data-label="${say('status.column.days', { days: ACTIVITY_DAYS })}">${dayStrip(lately ?? {}, today, reader)}</td>
<td class="wide" data-label="${say('status.column.deviation')}">${deviation && html`<div class="far">${deviationChart(deviation, reader)}<small>${formats.percent(deviation.median)}</small></div>`}</td>
<td class="notes">${notes.map((note) => html`<p>${note}</p>`)}</td>`,
    });
  }
  return lines;
}

export function needsAttention({ state }: Line): boolean {
  return state === 'failing' || state === 'late';
}

import { setTimeout as delay } from 'node:timers/promises';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import type { Proposal } from '../../../core/database/decisions.js';
import type { BlendChange, Consequence } from '../../../core/domain/blend/consequence.js';
import { enqueuePreview } from '../../../core/queues/enqueue.js';
import { HttpError } from '../../http/errors.js';
import { type Html, html } from '../../pages/shared/html.js';
import { withQueues } from '../queue-access.js';
import { english } from './english.js';
import type { ConsoleDependencies } from './errand.js';
import { type Column, table } from './table.js';

const { formats } = english;

const LOOKS = 20;
const BETWEEN_MS = 100;

/** What a decision would change, as a worker finds out. Waits two seconds for it; the page is updated by what comes later. */
export async function consequence(
  { database, queues }: Pick<ConsoleDependencies, 'database' | 'queues'>,
  proposal: Proposal,
): Promise<Html> {
  const version = await newestVersionNumber(database);
  const reading = withQueues(queues, async ({ blend }) => {
    const id = await enqueuePreview(blend, proposal, version);
    for (let left = LOOKS; left > 0; left--) {
      const job = await blend.getJob(id);
      const preview = job?.returnvalue?.preview;
      if (preview === 'busy')
        return html`<p>Other work is writing rates, such as a bulk load. Reload the page later to see what changes.</p>`;
      if (preview) return changes(preview);
      if (job?.failedReason) return html`<p>What changes is not known: ${job.failedReason}</p>`;
      await delay(BETWEEN_MS);
    }
    return html`<p>A worker is finding out what changes. Reload the page if this does not update.</p>`;
  });
  return reading.catch((error: unknown) => {
    if (error instanceof HttpError) return html`<p>What changes is not known: ${error.message}</p>`;
    throw error;
  });
}

function changes({ days, range, currencies, largest }: Consequence): Html {
  if (!range) return html`<p>No blended rate changes.</p>`;
  const { from, to } = range;
  const when = from === to ? formats.date(from) : `${formats.date(from)} to ${formats.date(to)}`;
  const of = currencies === 1 ? '' : ` of ${formats.count(currencies)} currencies`;
  return html`<p>Blended rates${of} change on ${days === 1 ? '1 day' : `${formats.count(days)} days`}: ${when}.${currencies > largest.length && ` The ${largest.length} largest changes:`}</p>
${table(largest, COLUMNS)}`;
}

const rateOf = (rate: number | null) => (rate === null ? 'none' : formats.rate(rate));

const COLUMNS: readonly Column<BlendChange>[] = [
  { label: 'Blend', of: ({ quote }) => `USD/${quote}` },
  { label: 'Day', look: 'date', of: ({ date }) => formats.shortDate(date) },
  {
    label: 'Blended rate',
    look: 'number',
    of: ({ before, after }) => html`${rateOf(before)} → <strong>${rateOf(after)}</strong>`,
  },
  {
    label: 'Change',
    look: 'number state',
    of: ({ before, after }) => (before !== null && after !== null ? formats.change(after / before - 1) : '–'),
  },
];

import { setTimeout as delay } from 'node:timers/promises';
import { newestVersionNumber } from '../../../core/database/data-versions.js';
import type { Proposal, Verdict } from '../../../core/database/decisions.js';
import { readRatesAround } from '../../../core/database/rates-around.js';
import type { ListedSuspect } from '../../../core/database/suspects.js';
import type { BlendChange, Consequence } from '../../../core/domain/blend/consequence.js';
import { enqueuePreview } from '../../../core/queues/enqueue.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { requestDecision } from '../admin/requests.js';
import { withQueues } from '../queue-access.js';
import { formats } from './english.js';
import type { Act, Confirmation, ConsoleDependencies, OperatorRequest } from './errand.js';
import { finding, findSuspect, suspectChart } from './suspect.js';
import { decisionLink, questionOf, SUSPECT_COLUMNS, VERDICTS } from './suspects.js';
import { type Column, PAGE_LENGTH, table } from './table.js';

/** Decides on one suspect or several. Each decision has its own record in the audit log and its own job. */
export const DECIDE: Act = {
  async confirm(dependencies, request) {
    const decision = await decisionOf(dependencies, request);
    const [suspect, another] = decision.suspects;
    return suspect && !another ? confirmOne(dependencies, suspect, decision) : confirmSeveral(decision);
  },
  async perform(dependencies, request) {
    const { status, only, suspects } = await decisionOf(dependencies, request);
    let there = `/admin/suspects?${new URLSearchParams({ status })}`;
    for (const { id } of suspects) {
      const job = await requestDecision(dependencies, request.by, { suspect: id, status, only });
      if (suspects.length === 1) there = `/admin/suspects/${id}?${new URLSearchParams({ job })}`;
    }
    return seeOther(there);
  },
};

type Decision = Awaited<ReturnType<typeof decisionOf>>;

/** Throws an HttpError 404 or 422. */
async function decisionOf(dependencies: ConsoleDependencies, { query }: OperatorRequest) {
  const status = query.get('status') ?? '';
  if (!Object.hasOwn(VERDICTS, status))
    throw new HttpError(422, `status must be one of ${Object.keys(VERDICTS).join(', ')}`);
  const ids = [...new Set(query.getAll('suspect'))];
  if (ids.length === 0 || ids.length > PAGE_LENGTH)
    throw new HttpError(422, `select at least one suspect, and at most ${PAGE_LENGTH}`);
  const suspects = await Promise.all(ids.map((id) => findSuspect(dependencies, id)));
  const only: Proposal['only'] = query.get('only') === 'rate' ? 'rate' : undefined;
  return { status: status as Verdict, only, suspects };
}

function confirmSeveral({ status, suspects }: Decision): Confirmation {
  const { button, effect } = VERDICTS[status];
  const what = `${button} ${suspects.length} suspects`;
  return {
    title: `${what}?`,
    button: what,
    body: html`<p>${effect} You can change each decision later. The page of a suspect shows what its decision changes.</p>${table(suspects, SUSPECT_COLUMNS)}`,
    back: '/admin/suspects',
  };
}

async function confirmOne(
  dependencies: ConsoleDependencies,
  suspect: ListedSuspect,
  { status, only }: Decision,
): Promise<Confirmation> {
  const { id, provider, base, quote, date, rates, evidence } = suspect;
  const { button, effect } = VERDICTS[status];
  const isAlone = only && (rates > 1 || evidence.follows !== undefined);
  const change = await consequence(dependencies, { suspect: id, status, only });
  const around = await readRatesAround(dependencies.database, suspect);
  return {
    title: `${button} ${provider} ${isAlone ? `${base}/${quote}` : questionOf(suspect)}, ${formats.date(date)}?`,
    body: html`${finding(suspect)}
<p>${effect}${isAlone && ' The other rates of its table are not decided on.'} You can change this decision later.</p>
<div id="change" data-live>${change}</div>
${suspectChart(suspect, around)}`,
    button,
    instead: decisionLink(id, status === 'accepted' ? 'rejected' : 'accepted', ' instead', only),
    back: `/admin/suspects/${id}`,
    backTo: `${provider} ${questionOf(suspect)}`,
  };
}

const LOOKS = 20;
const BETWEEN_MS = 100;

/** What a decision would change, as a worker finds out. Waits two seconds for it; the page is updated by what comes later. */
async function consequence(
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
  { label: 'Pair', of: ({ quote }) => `USD/${quote}` },
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

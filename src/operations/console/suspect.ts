import type { Proposal, Verdict } from '../../../core/database/decisions.js';
import { readRatesAround } from '../../../core/database/rates-around.js';
import { conflictingRates, type ListedSuspect, readSuspects } from '../../../core/database/suspects.js';
import { isDecision } from '../../../core/domain/blend/suspect.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { requestDecision, SUSPECT_ID } from '../admin/requests.js';
import { consequence } from './consequence.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies, OperatorRequest, PageMaker } from './errand.js';
import { jobProgress } from './job.js';
import { suspectChart } from './suspect-chart.js';
import {
  decisionLink,
  differenceOf,
  questionOf,
  REASONS,
  SUSPECT_COLUMNS,
  statusChip,
  VERDICTS,
} from './suspects.js';
import { section, table } from './table.js';

const { formats } = english;

const MOST_RATES = 300;

/** A suspect, what it was held against, and the way to deciding on it. */
export const suspectPage: PageMaker = async (dependencies, { params, query }) => {
  const { database } = dependencies;
  const suspect = await find(dependencies, params.id);
  const { id, provider, date, status } = suspect;
  const [progress, around, rest, change] = await Promise.all([
    jobProgress(dependencies, query.get('job')),
    readRatesAround(database, suspect),
    questionAround(dependencies, suspect),
    status === 'corrected' ? undefined : nextChange(dependencies, suspect),
  ]);
  return {
    title: `${provider} ${questionOf(suspect)}`,
    heading: html`<a class="code" href="/admin/sources/${provider}">${provider}</a> ${questionOf(suspect)}, ${formats.date(date)}`,
    body: html`<div id="job" data-live>${progress}</div>
<div class="sections" id="suspect-${id}" data-live>
<div class="halves"><div class="sections"><section class="card">${finding(suspect)}${decisions(suspect)}</section>${change}</div>
<section class="card"><h2>60 days before and after</h2>${suspectChart(suspect, around)}</section></div>
${evidence(suspect)}${rest}</div>`,
  };
};

async function find({ database }: ConsoleDependencies, id = ''): Promise<ListedSuspect> {
  const [suspect] = SUSPECT_ID.test(id) ? await readSuspects(database, { id }, 1) : [];
  if (!suspect) throw new HttpError(404, 'no such suspect');
  return suspect;
}

function finding({ base, quote, rate, expected, reason, others, ...suspect }: ListedSuspect): Html {
  const { status, resolvedAt, resolvedBy } = suspect;
  const by = resolvedBy !== null && ` by ${resolvedBy}`;
  return html`<p>${statusChip(status)}${resolvedAt && html` <small>${formats.instant(resolvedAt)}${by}</small>`}</p>
<p class="figure">1 ${base} = ${formats.shown(rate)} ${quote}</p>
<p>${REASONS[reason]}. It is ${differenceOf(rate, expected)} from ${formats.rate(expected)}, ${others === 0 ? 'its own last rate' : 'the rate of the nearest other source'}.</p>`;
}

function decisions({ id, status, rates, evidence: { follows } }: ListedSuspect): Html {
  if (status === 'corrected')
    return html`<p>The source has restated the rate: there is nothing to decide.</p>`;
  const verdicts: Verdict[] = isDecision(status)
    ? ['held', status === 'accepted' ? 'rejected' : 'accepted']
    : ['accepted', 'rejected'];
  const links = (only?: Proposal['only']) =>
    verdicts.map((verdict) =>
      decisionLink(id, verdict, {
        scope: only ? ' only this rate' : rates > 1 && ` all ${rates} rates`,
        only,
      }),
    );
  return html`<p class="acts">${follows === undefined && links()}${(rates > 1 || follows !== undefined) && links('rate')}</p>`;
}

/** What the decision changes that is not in force. */
async function nextChange(dependencies: ConsoleDependencies, suspect: ListedSuspect): Promise<Html> {
  const { id, status: current, evidence } = suspect;
  const status = current === 'accepted' ? 'rejected' : 'accepted';
  const proposal: Proposal = {
    suspect: id,
    status,
    only: evidence.follows === undefined ? undefined : 'rate',
  };
  const title = `If you ${VERDICTS[status].button.toLowerCase()} ${suspect.rates > 1 ? 'all of them' : 'it'}`;
  return section(title, await consequence(dependencies, proposal));
}

function evidence(suspect: ListedSuspect): Html {
  const { provider, rate, evidence } = suspect;
  const compared = conflictingRates(suspect);
  const usual = evidence.usual && `The typical move of the pair is ${formats.percent(evidence.usual)}.`;
  const shown = table(compared, [
    {
      label: 'Source',
      of: (one) => (one.provider === provider ? `${provider}, its last rate` : one.provider),
    },
    { label: 'Day', look: 'date', of: (one) => formats.shortDate(one.date) },
    { label: 'Rate', look: 'number', of: (one) => formats.rate(one.rate) },
    { label: 'Difference', look: 'number state', of: (one) => differenceOf(rate, one.rate) },
  ]);
  return section(
    'Compared with',
    html`<p class="hint">${compared.length === 1 && evidence.last ? 'No other source had the currency.' : 'Converted to the same pair.'} ${usual}</p>${shown}`,
  );
}

/** The other rates of the question, or the question that a rate is part of. Undefined if it is about this rate alone. */
async function questionAround(
  { database }: ConsoleDependencies,
  { id, provider, date, rates, evidence: { follows } }: ListedSuspect,
): Promise<Html | undefined> {
  const ofDay = { providers: [provider], from: date, to: date };
  const which = follows === undefined ? { inQuestion: id } : ofDay;
  if (follows === undefined && rates === 1) return undefined;
  const found = await readSuspects(database, which, MOST_RATES);
  const isLeader = ({ base, quote }: ListedSuspect) => `${provider} ${base} ${quote}` === follows;
  const shown = follows === undefined ? found : found.filter(isLeader);
  return section(
    follows === undefined ? 'Other rates of the table' : 'Its table',
    html`<p class="hint">The currency of the source moved against all of them alike. They share the verdict, unless you decide on a rate alone.</p>${table(shown, SUSPECT_COLUMNS)}`,
  );
}

export const DECIDE: Act = {
  async confirm(dependencies, request) {
    const proposal = proposalOf(request);
    const suspect = await find(dependencies, proposal.suspect);
    const { id, provider, date, rates, evidence } = suspect;
    const { button, effect } = VERDICTS[proposal.status];
    const isAlone = proposal.only && (rates > 1 || evidence.follows !== undefined);
    const [change, around] = await Promise.all([
      consequence(dependencies, proposal),
      readRatesAround(dependencies.database, suspect),
    ]);
    return {
      title: `${button}: ${provider} ${isAlone ? `${suspect.base}/${suspect.quote}` : questionOf(suspect)}, ${formats.date(date)}`,
      body: html`${suspectChart(suspect, around)}${finding(suspect)}<p>${effect}${isAlone && ' The other rates of its table are not decided on.'} You can change this decision later.</p>
<div id="change" data-live>${change}</div>`,
      button,
      back: `/admin/suspects/${id}`,
    };
  },
  async perform(dependencies, request) {
    const job = await requestDecision(dependencies, request.by, proposalOf(request));
    return seeOther(`/admin/suspects/${request.params.id}?${new URLSearchParams({ job })}`);
  },
};

function proposalOf({ params, query }: OperatorRequest): Proposal {
  const status = query.get('status') ?? '';
  if (!Object.hasOwn(VERDICTS, status))
    throw new HttpError(422, `status must be one of ${Object.keys(VERDICTS).join(', ')}`);
  const only = query.get('only') === 'rate' ? 'rate' : undefined;
  return { suspect: params.id ?? '', status: status as Verdict, only };
}

import { readOperatorActs } from '../../../core/database/operators.js';
import { isCalendarDate, today } from '../../../core/domain/dates.js';
import { providerOf } from '../../../core/domain/providers.js';
import { HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { withDay } from '../../pages/converter.js';
import { type Html, html } from '../../pages/shared/html.js';
import { SHOWN_OF_SESSION } from '../admin/operators.js';
import { endSessions } from '../admin/requests.js';
import { english, formats } from './english.js';
import type { Act, PageMaker } from './errand.js';
import { beforeOf, type Column, PAGE_LENGTH, pager, searchForm, table } from './table.js';

export const END_SESSIONS: Act = {
  confirm: () => ({
    title: 'End all sessions',
    body: html`<p>Logs out all browsers, including this one. The token stays valid.</p>`,
    back: '/admin/logout',
  }),
  async perform(dependencies, { by }) {
    await endSessions(dependencies, by);
    return seeOther('/admin/login');
  },
};

type RecordedAct = Awaited<ReturnType<typeof readOperatorActs>>[number];

/** `own` is the operator who looks. */
const columnsFor = (own: string): readonly Column<RecordedAct>[] => [
  {
    label: 'Time',
    look: 'date',
    of: ({ at }) => `${formats.shortDate(at.toISOString())}, ${at.toISOString().slice(11, 19)}\u00a0UTC`,
  },
  { label: 'Action', of: sentenceOf },
  { label: 'Job', look: 'clipped', of: ({ job }) => job !== null && linkTo('jobs', job, job) },
  {
    label: 'By',
    of: ({ operator }) =>
      html`<a href="/admin/audit?about=${encodeURIComponent(operator)}">${operator.replace('session', 'browser session')}</a>${operator === own && ' (this one)'}`,
  },
  { label: 'IP address', of: ({ client }) => client },
];

/** Such as "Ingest: Reserve Bank of Malawi, from 1 Apr 2026". */
function sentenceOf({ act, details }: RecordedAct): Html {
  const { provider, from, to, suspect, only } = details as Record<string, string | undefined>;
  const days = `${from ? `, from ${formats.shortDate(from)}` : ''}${to ? ` to ${formats.shortDate(to)}` : ''}`;
  return html`${act.charAt(0).toUpperCase()}${act.slice(1)}${provider && html`: ${linkTo('sources', provider, providerOf(provider)?.name ?? provider)}`}${
    suspect && html`: ${linkTo('suspects', suspect, `no. ${suspect}`)}`
  }${days}${only && ', this rate alone'}`;
}

function linkTo(path: string, id: string, text: string): Html {
  return html`<a href="/admin/${path}/${encodeURIComponent(id)}">${text}</a>`;
}

export const auditPage: PageMaker = async ({ database, clock }, { query, by }) => {
  const [about, day] = [query.get('about')?.trim() ?? '', query.get('day') || undefined];
  if (day !== undefined && !isCalendarDate(day)) throw new HttpError(422, 'day must be YYYY-MM-DD');
  const before = beforeOf(query, 'an act');
  const acts = await readOperatorActs(database, { about, day, before, limit: PAGE_LENGTH });
  const input = html`<input name="day" type="date" aria-label="Day (UTC)" value="${day}" max="${today(clock)}">`;
  const dayField = withDay(input, english, day, 'Any day');
  const form = searchForm('Action, source, job or operator', 'about', about, dayField);
  const own = `session ${by.session?.slice(0, SHOWN_OF_SESSION)}`;
  return {
    title: 'Audit log',
    body: html`<div class="sections" id="acts" data-live>${form}<section class="card scroll">${table(acts, columnsFor(own), 'No action matches.')}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};

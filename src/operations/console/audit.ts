import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { ACTS, type ShownAct } from '../admin/audit.js';
import { endSessions } from '../admin/requests.js';
import { english } from './english.js';
import type { Act, PageMaker } from './errand.js';
import { beforeOf, type Column, filterForm, PAGE_LENGTH, pager, table } from './table.js';

export const END_SESSIONS: Act = {
  confirm: () => ({
    title: 'End all sessions',
    body: html`<p>Logs out all browsers, including this one. The token stays valid.</p>`,
    button: 'End all sessions',
    back: '/admin/audit',
  }),
  async perform(dependencies, { by }) {
    await endSessions(dependencies, by);
    return seeOther('/admin/login');
  },
};

/** The pages of what actions concern, by the names of their details. */
const PAGES = new Map(
  Object.entries({ provider: '/admin/sources/', suspect: '/admin/suspects/', job: '/admin/jobs/' }),
);

export const ACT_COLUMNS: readonly Column<ShownAct>[] = [
  {
    label: 'Time',
    look: 'date',
    of: ({ at }) => `${english.formats.shortDate(at)}, ${at.slice(11, 19)} UTC`,
  },
  { label: 'Who', of: ({ operator }) => operator },
  { label: 'What', look: 'state', of: ({ act }) => act },
  { label: 'On what', look: 'clipped', of: ({ details }) => html`${Object.entries(details).map(detail)}` },
  { label: 'Address', of: ({ client }) => client },
];

function detail([name, value]: [string, unknown], at: number): Html {
  const [page, text] = [PAGES.get(name), `${name}: ${value}`];
  return html`${at > 0 && ', '}${page ? html`<a href="${page}${encodeURIComponent(String(value))}">${text}</a>` : text}`;
}

export const auditPage: PageMaker = async ({ audit }, { query }) => {
  const [act = '', about = ''] = ['act', 'about'].map((name) => query.get(name)?.trim());
  const before = beforeOf(query, 'an act');
  const filter = { limit: PAGE_LENGTH, before, act: act || undefined, about };
  const acts = await audit.read(filter);
  const none = `No ${before === undefined ? '' : 'older '}action${act || about ? ' matches' : ''}.`;
  const form = filterForm({
    label: 'Action',
    name: 'act',
    current: act,
    options: { '': 'All', ...Object.fromEntries(ACTS.map((one) => [one, one])) },
    search: { label: 'About', name: 'about', value: about, placeholder: 'Source, job or operator' },
  });
  return {
    title: 'Audit',
    acts: html`<a class="button danger" href="/admin/end-sessions">End all sessions</a>`,
    body: html`${form}
<div class="sections" id="acts" data-live><section class="card scroll">${table(acts, ACT_COLUMNS, none)}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};

import { seeOther } from '../../http/reply.js';
import { type Html, html } from '../../pages/shared/html.js';
import { ACTS, type ShownAct } from '../admin/audit.js';
import { endSessions } from '../admin/requests.js';
import { english } from './english.js';
import type { Act, PageMaker } from './errand.js';
import { beforeOf, filterForm, PAGE_LENGTH, pager } from './listing.js';
import { type Column, table } from './table.js';

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

/** An act, with the same ones of the same client directly before it. */
type ListedAct = ShownAct & { earlier: ShownAct[] };

export function joined(acts: readonly ShownAct[]): ListedAct[] {
  const listed: ListedAct[] = [];
  const keyOf = ({ act, client, details }: ShownAct) => JSON.stringify([act, client, details]);
  for (const act of acts) {
    const last = listed.at(-1);
    if (last && keyOf(last) === keyOf(act)) last.earlier.push(act);
    else listed.push({ ...act, earlier: [] });
  }
  return listed;
}

const instantOf = ({ at }: ShownAct) => `${english.formats.shortDate(at)}, ${at.slice(11, 19)} UTC`;

export const ACT_COLUMNS: readonly Column<ListedAct>[] = [
  { label: 'Time', look: 'date', of: instantOf },
  { label: 'Who', of: ({ operator }) => operator },
  {
    label: 'What',
    look: 'state',
    of: ({ act, earlier }) => (earlier.length === 0 ? act : `${act} × ${earlier.length + 1}`),
  },
  {
    label: 'On what',
    look: 'clipped',
    of: ({ details, earlier }) =>
      html`${Object.entries(details).map(detail)}${earlier.length > 0 && before(earlier)}`,
  },
  { label: 'Address', of: ({ client }) => client },
];

/** Folded. */
function before(earlier: readonly ShownAct[]): Html {
  const lines = earlier.map((act) => html`<li>${instantOf(act)}, ${act.operator}</li>`);
  return html`<details><summary>${earlier.length} before</summary><ul>${lines}</ul></details>`;
}

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
<div class="sections" id="acts" data-live><section class="card scroll">${table(joined(acts), ACT_COLUMNS, none)}</section>
${pager('/admin/audit', query, acts)}</div>`,
  };
};

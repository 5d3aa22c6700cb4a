import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { html } from '../../pages/shared/html.js';
import { ACTS } from '../admin/audit.js';
import { endSessions } from '../admin/requests.js';
import { english } from './english.js';
import type { Act, ConsoleDependencies, OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';
import { table } from './table.js';

const PAGE_LENGTH = 50;

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

export async function auditPage(
  { audit }: ConsoleDependencies,
  { query }: OperatorRequest,
): Promise<ConsolePage> {
  const [act = '', about = '', before] = ['act', 'about', 'before'].map((name) => query.get(name)?.trim());
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new HttpError(422, 'before must be the id of an act');
  const filter = { limit: PAGE_LENGTH, before, act: act || undefined, about };
  const acts = await audit.read(filter).catch(databaseUnavailable);
  const older = acts.length === PAGE_LENGTH && acts.at(-1)?.id;
  const at = (more: Record<string, string>) =>
    `/admin/audit?${new URLSearchParams({ ...(act && { act }), ...(about && { about }), ...more })}`;
  return {
    title: 'Audit',
    body: html`<h1>Audit log</h1>
<form class="filters" method="get" role="search">
<label>Action <select name="act"><option value="">All</option>${ACTS.map((one) => html`<option${one === act && html` selected`}>${one}</option>`)}</select></label>
<label>Concerns <input name="about" type="search" value="${about}" placeholder="Source, job or operator"></label>
<button class="primary">Show</button></form>
<section class="card scroll" id="acts" data-live>${
      acts.length === 0
        ? html`<p class="empty">No ${before !== undefined && 'older '}action${(act || about) && ' matches'}.</p>`
        : table(acts, [
            {
              label: 'Time',
              isDate: true,
              of: ({ at }) => `${english.formats.shortDate(at)}, ${at.slice(11, 19)} UTC`,
            },
            { label: 'Action', of: ({ act }) => act },
            { label: 'Operator', of: ({ operator }) => operator },
            { label: 'Address', of: ({ client }) => client },
            { label: 'Details', of: ({ details }) => detailsOf(details) },
          ])
    }</section>
<p class="acts">${before !== undefined && html`<a class="button" href="${at({})}">Newest</a>`}${older && html`<a class="button" href="${at({ before: older })}">Older</a>`}</p>
<section class="card"><h2>Sessions</h2><p>Ending all sessions logs out every browser.</p><p class="acts"><a class="button danger" href="/admin/end-sessions">End all sessions</a></p></section>`,
  };
}

function detailsOf(details: object): string {
  const named = Object.entries(details).map((one) => one.join(': '));
  return named.join(', ');
}

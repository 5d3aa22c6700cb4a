import { databaseUnavailable, HttpError } from '../../http/errors.js';
import { seeOther } from '../../http/reply.js';
import { html } from '../../pages/shared/html.js';
import { endSessions } from '../admin/end-sessions.js';
import type { ConsoleDependencies } from './dependencies.js';
import { english } from './english.js';
import type { Act, OperatorRequest } from './errand.js';
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
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new HttpError(422, 'before must be the id of an act');
  const acts = await audit.read({ limit: PAGE_LENGTH, before }).catch(databaseUnavailable);
  const older = acts.length === PAGE_LENGTH && acts.at(-1)?.id;
  return {
    title: 'Audit',
    body: html`<h1>Audit log</h1>
<section class="card scroll" id="acts" data-live>${
      acts.length === 0
        ? html`<p class="empty">No ${before !== undefined && 'older '}acts.</p>`
        : table(acts, [
            {
              label: 'At',
              isDate: true,
              of: ({ at }) => `${english.formats.shortDate(at)}, ${at.slice(11, 19)} UTC`,
            },
            { label: 'Act', of: ({ act }) => act },
            { label: 'Operator', of: ({ operator }) => operator },
            { label: 'Address', of: ({ client }) => client },
            {
              label: 'Details',
              of: ({ details }) =>
                Object.entries(details)
                  .map((one) => one.join(': '))
                  .join(', '),
            },
          ])
    }</section>
<p class="acts">${before !== undefined && html`<a class="button" href="/admin/audit">Newest</a>`}${older && html`<a class="button" href="?before=${older}">Older</a>`}</p>
<section class="card"><h2>Sessions</h2><p>Ending all sessions logs out every browser.</p><p class="acts"><a class="button danger" href="/admin/end-sessions">End all sessions</a></p></section>`,
  };
}

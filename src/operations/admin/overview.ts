import { defineRoute, type Route } from '../../http/route.js';
import type { identifyOperator } from './guard.js';
import { operatorPage } from './operator-page.js';

interface OverviewOptions {
  /** Throws if there is no operator. */
  identify: ReturnType<typeof identifyOperator>;
  hasOwnPort: boolean;
}

export function overviewRoute({ identify, hasOwnPort }: OverviewOptions): Route {
  return defineRoute({
    method: 'get',
    path: '/admin',
    async handle(_query, { headers, client }) {
      const operator = await identify({ headers, client, request: { method: 'GET' } });
      return 'reply' in operator ? operator.reply : operatorPage(overview(hasOwnPort));
    },
  });
}

function overview(hasOwnPort: boolean): string {
  const status = hasOwnPort
    ? 'Status of the sources: <code>/status</code>, on the port of the service'
    : '<a href="/status">Status of the sources</a>: newest rates, missing ones, last errors';
  const reference = hasOwnPort
    ? ''
    : '\n<li><a href="/docs#tag/administration">Routes for operators</a>: ask again, decide on suspects, audit</li>';
  return `<ul>
<li>${status}</li>
<li><a href="/admin/queues">Board of the queues</a>: jobs that wait, run or have failed</li>${reference}
<li><a href="/admin/logout">Log out</a></li>
</ul>`;
}

import * as z from 'zod';
import type { Verdict } from '../../../core/database/decisions.js';
import { findRuns } from '../../../core/database/ingest-runs.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { SUSPECT_STATUSES } from '../../../core/domain/blend/suspect.js';
import { describeSuspect } from '../../catalogue/suspect.js';
import { membersOf } from '../../formats/record-formats.js';
import { HttpError } from '../../http/errors.js';
import type { Mount } from '../../http/express-adapter.js';
import { type Reply, uncachedJson } from '../../http/reply.js';
import {
  defineRoute,
  type QueryReader,
  type RequestContext,
  type Route,
  type RouteDescription,
} from '../../http/route.js';
import { oneOf } from '../../parameters/currency-parameters.js';
import { strictQuery } from '../../parameters/query.js';
import { integerParameter } from '../../parameters/utility-parameters.js';
import { actSchema } from './audit.js';
import { boardMount } from './board.js';
import * as describe from './describe.js';
import { requireToken } from './guard.js';
import { knownJob } from './jobs.js';
import { type AdminDependencies, type Operators, openOperators } from './operators.js';
import { endSessions, requestDecision, requestIngest, requestRebuild, SUSPECT_ID } from './requests.js';
import { describeRun, listSetAside } from './runs.js';
import { providerKey, readWindow } from './window.js';

export interface Admin {
  routes: Route[];
  mounts: Mount[];
  /** Absent without a database. */
  operators?: Operators;
}

const LARGEST_PAGE = 200;
const noQuery = strictQuery(z.object({}));

const pageOf = (what: string) =>
  z.object({
    limit: integerParameter('limit', 1, LARGEST_PAGE)
      .default(50)
      .meta({ examples: [50] }),
    before: z
      .string()
      .regex(/^\d{1,18}$/, { error: `before must be the id of ${what}` })
      .optional()
      .meta({ description: 'Return only entries older than this one', examples: ['1200'] }),
  });
const runsQuery = strictQuery(pageOf('a run'));
const auditQuery = strictQuery(pageOf('an act'));
const suspectId = z.string().regex(SUSPECT_ID, { error: 'question must be the id of a suspect' });
const suspectsQuery = strictQuery(
  pageOf('a suspect').extend({
    status: oneOf(SUSPECT_STATUSES)
      .default('held')
      .meta({ type: 'string', enum: [...SUSPECT_STATUSES] }),
    question: suspectId.optional().meta({
      description: 'Return only the other rates of the decision with this ID, with any status',
      examples: ['812'],
    }),
  }),
);

const decisionQuery = strictQuery(
  z.object({
    only: oneOf(['rate'])
      .optional()
      .meta({ type: 'string', enum: ['rate'], description: describe.ONLY_RATE }),
  }),
);

export function createAdmin(dependencies: AdminDependencies): Admin {
  const operators = openOperators(dependencies);
  const guard = requireToken(operators.tokens);
  const refuse: Mount['guard'] = (exchange) =>
    operators.asOperator(exchange, exchange.request.method, (session) => {
      if (session) throw new HttpError(404, 'no such page');
      return undefined;
    });
  const routes = [jobRoutes, runRoutes, suspectRoutes, auditRoutes].flatMap((make) => make(operators));
  return {
    routes: routes.map((route) => ({ ...route, guard })),
    // Clients without the token can't find out which paths exist.
    mounts: [boardMount(operators), { path: '/admin', guard: refuse }],
    operators,
  };
}

function jobRoutes(operators: Operators): Route[] {
  return [
    defineRoute({
      method: 'post',
      path: '/admin/providers/:key/ingest',
      query: noQuery,
      body: 'json',
      description: describe.ingest,
      async handle(_query, context) {
        const provider = providerKey(context.params.key ?? '');
        const window = readWindow(context, operators.clock);
        return acceptedReply(await requestIngest(operators, context, { provider, ...window }));
      },
    }),
    defineRoute({
      method: 'post',
      path: '/admin/blend/rebuild',
      query: noQuery,
      description: describe.rebuild,
      handle: async (_query, context) => acceptedReply(await requestRebuild(operators, context)),
    }),
    reading('/admin/jobs/:id', noQuery, describe.job, async (_query, { params: { id = '' } }) => ({
      job: await knownJob(operators, id),
    })),
  ];
}

function runRoutes({ database }: Operators): Route[] {
  return [
    reading('/admin/providers/:key/runs', runsQuery, describe.runs, async ({ limit, before }, { params }) => {
      const provider = providerKey(params.key ?? '');
      const found = await findRuns(database, provider, { limit, before });
      const runs = found.map(describeRun);
      const next = nextPath(`/admin/providers/${provider}/runs?limit=${limit}`, runs, limit);
      return { provider, runs, next };
    }),
    reading('/admin/providers/:key/set-aside', noQuery, describe.setAside, async (_query, { params }) => {
      const provider = providerKey(params.key ?? '');
      return { provider, windows: await listSetAside(database, provider) };
    }),
  ];
}

function suspectRoutes(operators: Operators): Route[] {
  const decision = (name: 'accept' | 'reject' | 'reopen', status: Verdict) =>
    defineRoute({
      method: 'post',
      path: `/admin/suspects/:id/${name}`,
      query: decisionQuery,
      description: describe.suspectDecision(name),
      async handle({ only }, context) {
        const proposal = { suspect: context.params.id ?? '', status, only };
        return acceptedReply(await requestDecision(operators, context, proposal));
      },
    });
  return [
    reading(
      '/admin/suspects',
      suspectsQuery,
      describe.suspects,
      async ({ status, question, limit, before }) => {
        const [which, filter] =
          question === undefined
            ? [`status=${status}`, { statuses: [status] }]
            : [`question=${question}`, { inQuestion: question }];
        const found = await readSuspects(operators.database, { ...filter, before }, limit);
        const suspects = found.map((one) => ({
          id: one.id,
          ...describeSuspect(one),
          resolved_by: one.resolvedBy,
        }));
        return { suspects, next: nextPath(`/admin/suspects?${which}&limit=${limit}`, suspects, limit) };
      },
    ),
    decision('accept', 'accepted'),
    decision('reject', 'rejected'),
    decision('reopen', 'held'),
  ];
}

function auditRoutes(operators: Operators): Route[] {
  return [
    reading('/admin/audit', auditQuery, describe.audit, async (page) => {
      const read = await operators.audit.read(page);
      const acts = read.map((act) => membersOf(actSchema, act));
      return { acts, next: nextPath(`/admin/audit?limit=${page.limit}`, acts, page.limit) };
    }),
    defineRoute({
      method: 'post',
      path: '/admin/sessions/end',
      query: noQuery,
      description: describe.endSessions,
      async handle(_query, context) {
        return uncachedJson({ success: true, ended: await endSessions(operators, context) });
      },
    }),
  ];
}

/** A route that responds with what `read` returns. */
function reading<Query>(
  path: string,
  query: QueryReader<Query>,
  description: RouteDescription,
  read: (query: Query, context: RequestContext) => Promise<object>,
): Route {
  return defineRoute({
    path,
    query,
    description,
    handle: async (given, context) => uncachedJson({ success: true, ...(await read(given, context)) }),
  });
}

/** Null if this page is not full. */
function nextPath(page: string, shown: readonly { id: string }[], limit: number): string | null {
  const last = shown.length === limit ? shown.at(-1) : undefined;
  return last ? `${page}&before=${last.id}` : null;
}

function acceptedReply(id: string): Reply {
  const watch = `/admin/jobs/${encodeURIComponent(id)}`;
  return { ...uncachedJson({ success: true, job: { id, watch } }, 202), headers: ['location', watch] };
}

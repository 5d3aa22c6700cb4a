import * as z from 'zod';
import { findRuns } from '../../../core/database/ingest-runs.js';
import { readOperatorActs } from '../../../core/database/operators.js';
import { readSuspects } from '../../../core/database/suspects.js';
import { SUSPECT_STATUSES } from '../../../core/domain/blend/suspect.js';
import { describeSuspect, suspectSchema } from '../../catalogue/suspect.js';
import { membersOf } from '../../formats/record-formats.js';
import { bodyTooLarge, HttpError } from '../../http/errors.js';
import type { Mount } from '../../http/express-adapter.js';
import { LARGEST_BODY, type Route } from '../../http/route.js';
import { oneOf } from '../../parameters/currency-parameters.js';
import { strictQuery } from '../../parameters/query.js';
import { integerParameter } from '../../parameters/utility-parameters.js';
import { boardMount } from './board.js';
import { endpoint, jobRequest, NO_DATABASE, NO_PROVIDER, NO_QUEUE, providerPath } from './endpoint.js';
import { requireToken } from './guard.js';
import { exampleJob, jobSchema, knownJob, runSchema } from './jobs.js';
import { type AdminDependencies, actSchema, type Operators, openOperators } from './operators.js';
import {
  endSessions,
  providerKey,
  readWindow,
  requestDecision,
  requestIngest,
  requestRebuild,
  SUSPECT_ID,
  windowBody,
} from './requests.js';

export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(dependencies: AdminDependencies) {
  const operators = openOperators(dependencies);
  const guard: Route['guard'] = (context) => requireToken(operators.tokens, context);
  const refuse: Mount['guard'] = async (exchange) => {
    const operator = await operators.identify(exchange, exchange.request.method);
    if ('reply' in operator) return operator.reply;
    if (operator.session) throw new HttpError(404, 'no such page');
    return undefined;
  };
  const routes = [jobRoutes, runsRoute, suspectsRoute, decisionRoutes, auditRoutes].flatMap((make) =>
    make(operators),
  );
  return {
    routes: routes.map((route) => ({ ...route, guard })),
    // Clients without the token can't find out which paths exist.
    mounts: [boardMount(operators), { path: '/admin', guard: refuse }] satisfies Mount[],
    operators,
  };
}

function jobRoutes(operators: Operators): Route[] {
  return [
    jobRequest({
      path: '/admin/providers/:key/ingest',
      summary: 'Read a range of days of a source again',
      description: 'If a job for the same window is waiting or running, the response names that job.',
      params: providerPath,
      body: windowBody,
      bodyExample: { from: '2026-03-01' },
      errors: {
        ...NO_PROVIDER,
        413: bodyTooLarge(LARGEST_BODY),
        415: 'the body must be application/json',
        422: 'from is after to, 2026-03-01: 2026-03-18',
      },
      async answer(_query, context) {
        const provider = providerKey(context.params.key);
        return requestIngest(operators, context, { provider, ...readWindow(context, operators.clock) });
      },
    }),
    jobRequest({
      path: '/admin/blend/rebuild',
      summary: 'Rebuild all blended rates',
      answer: (_query, context) => requestRebuild(operators, context),
    }),
    endpoint({
      path: '/admin/jobs/:id',
      summary: 'State of a job',
      params: z.object({ id: z.string().meta({ examples: [exampleJob.id] }) }),
      shape: { job: jobSchema },
      errors: { 404: 'no such job: 1', ...NO_QUEUE },
      answer: async (_query, { params: { id = '' } }) => ({ job: await knownJob(operators, id) }),
    }),
  ];
}

const LARGEST_PAGE = 200;
const WRONG_LIMIT = { 422: 'limit must be a whole number from 1 to 200' };

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

function runsRoute({ database }: Operators): Route {
  return endpoint({
    path: '/admin/providers/:key/runs',
    query: strictQuery(pageOf('a run')),
    summary: 'Readings of a source, newest first',
    params: providerPath,
    shape: { provider: runSchema.shape.provider, runs: z.array(runSchema), next: nextOf('runs') },
    errors: { ...NO_PROVIDER, ...WRONG_LIMIT, ...NO_DATABASE },
    async answer(page, { params }) {
      const provider = providerKey(params.key);
      const runs = (await findRuns(database, provider, page)).map((run) => membersOf(runSchema, run));
      return { provider, runs, next: nextPath(`/admin/providers/${provider}/runs?`, runs, page) };
    },
  });
}

const suspectId = z.string().regex(SUSPECT_ID, { error: 'question must be the id of a suspect' });
const suspectsQuery = strictQuery(
  pageOf('a suspect').extend({
    status: oneOf(SUSPECT_STATUSES).default('held'),
    question: suspectId.optional().meta({
      description: 'Return only the other rates of the decision with this ID, with any status',
      examples: ['812'],
    }),
  }),
);

const heldSuspectSchema = z
  .object({
    id: z.string().meta({ example: '812' }),
    ...suspectSchema.shape,
    resolved_by: z.string().nullable().meta({ description: 'The operator who decided; null if nobody did' }),
  })
  .meta({ id: 'HeldSuspect' });

function suspectsRoute({ database }: Operators): Route {
  return endpoint({
    path: '/admin/suspects',
    query: suspectsQuery,
    summary: 'Suspect rates, newest first',
    description: 'By default, those that are held back from the blend.',
    shape: { suspects: z.array(heldSuspectSchema), next: nextOf('suspects') },
    errors: { ...WRONG_LIMIT, ...NO_DATABASE },
    async answer({ status, question, ...page }) {
      const [which, filter] =
        question === undefined
          ? [`status=${status}`, { statuses: [status] }]
          : [`question=${question}`, { inQuestion: question }];
      const found = await readSuspects(database, { ...filter, before: page.before }, page.limit);
      const suspects = found.map((one) => ({
        id: one.id,
        ...describeSuspect(one),
        resolved_by: one.resolvedBy,
      }));
      return { suspects, next: nextPath(`/admin/suspects?${which}&`, suspects, page) };
    },
  });
}

const ONLY_RATE =
  'Decides on this rate alone. Without it, a decision also covers the other rates of the question: those of a table whose ' +
  'own currency moved. A rate that was decided on alone becomes a question of its own.';

const decisionQuery = strictQuery(
  z.object({
    only: oneOf(['rate']).optional().meta({ description: ONLY_RATE }),
  }),
);

const DECISIONS = [
  ['accept', 'accepted', 'Add a suspect rate to the blend'],
  ['reject', 'rejected', 'Leave a suspect rate out for good'],
  ['reopen', 'held', 'Take a decision on a suspect rate back'],
] as const;

function decisionRoutes(operators: Operators): Route[] {
  return DECISIONS.map(([name, status, summary]) => {
    const effect = status === 'held' ? ' The rate is judged again, as if nobody had decided.' : '';
    return jobRequest({
      path: `/admin/suspects/:id/${name}`,
      query: decisionQuery,
      summary,
      description: `A job applies the decision and blends the affected days again, in one transaction. The last decision holds.${effect}`,
      params: z.object({ id: z.string().meta({ examples: ['812'] }) }),
      errors: { 404: 'no such suspect: 812', 422: 'only must be one of rate' },
      answer: ({ only }, context) =>
        requestDecision(operators, context, { suspect: context.params.id ?? '', status, only }),
    });
  });
}

function auditRoutes(operators: Operators): Route[] {
  return [
    endpoint({
      path: '/admin/audit',
      query: strictQuery(pageOf('an act')),
      summary: 'Audit log of operators, newest first',
      shape: { acts: z.array(actSchema), next: nextOf('acts') },
      errors: { ...WRONG_LIMIT, ...NO_DATABASE },
      async answer(page) {
        const found = await readOperatorActs(operators.database, page);
        const acts = found.map((act) => membersOf(actSchema, act));
        return { acts, next: nextPath('/admin/audit?', acts, page) };
      },
    }),
    endpoint({
      method: 'post',
      path: '/admin/sessions/end',
      summary: 'End all browser sessions',
      shape: { ended: z.number().int().meta({ description: 'Number of sessions', example: 2 }) },
      errors: NO_DATABASE,
      answer: async (_query, context) => ({ ended: await endSessions(operators, context) }),
    }),
  ];
}

function nextOf(what: string) {
  const path = z.string().nullable();
  return path.meta({ description: `Path of the next page, with older ${what}` });
}

/** Null if this page is not full. */
function nextPath(
  list: string,
  shown: readonly { id: string }[],
  { limit }: { limit: number },
): string | null {
  const last = shown.length === limit ? shown.at(-1) : undefined;
  return last ? `${list}limit=${limit}&before=${last.id}` : null;
}

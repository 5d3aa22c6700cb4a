import * as z from 'zod';
import { exampleSuspect, suspectSchema } from '../../catalogue/suspect.js';
import { bodyTooLarge } from '../../http/errors.js';
import { LARGEST_BODY, type RouteDescription } from '../../http/route.js';
import { OPERATOR } from '../../openapi/document.js';
import { errorResponses, jsonResponse } from '../../openapi/responses.js';
import { actSchema, exampleAct } from './audit.js';
import { exampleJob, jobSchema } from './jobs.js';
import { exampleRun, exampleSetAside, runSchema, setAsideSchema } from './runs.js';
import { windowBody } from './window.js';

const heldSuspectSchema = z
  .object({
    id: z.string(),
    ...suspectSchema.shape,
    resolved_by: z.string().nullable().meta({ description: 'The operator who decided; null if nobody did' }),
  })
  .meta({ id: 'HeldSuspect' });

const exampleHeldSuspect = { id: '812', ...exampleSuspect, resolved_by: null };

const accepted = success(
  'The job, and where to watch it',
  { job: z.object({ id: z.string(), watch: z.string() }) },
  { job: { id: exampleJob.id, watch: `/admin/jobs/${exampleJob.id}` } },
  202,
);
const providerPath = z.object({ key: z.string().meta({ examples: ['ECB'] }) });

const NO_TOKEN = { 401: "the operators' token is required", 429: 'too many wrong tokens' };
const NO_QUEUE = { 503: 'the job queue cannot be reached' };
const NO_DATABASE = { 503: 'the database cannot be reached' };
const NO_PROVIDER = { 404: ['unknown_provider', 'no such provider: XYZ'] } as const;
const WRONG_LIMIT = { 422: 'limit must be a whole number from 1 to 200' };

/** Describes a route for operators by its response, and by its errors besides those of all such routes. */
function describe(
  response: RouteDescription['responses'],
  errors: Parameters<typeof errorResponses>[0],
  route: Omit<RouteDescription, 'responses'>,
): RouteDescription {
  const responses = { ...response, ...errorResponses({ ...NO_TOKEN, ...errors }) };
  return { tags: ['Administration'], security: [{ [OPERATOR]: [] }], ...route, responses };
}

export const ingest = describe(
  accepted,
  {
    ...NO_PROVIDER,
    413: bodyTooLarge(LARGEST_BODY),
    415: 'the body must be application/json',
    422: 'from is after to, 2026-03-01: 2026-03-18',
    ...NO_QUEUE,
  },
  {
    summary: 'Read a range of days of a source again',
    description: 'If a job for the same window is waiting or running, the response names that job.',
    params: providerPath,
    body: windowBody,
    bodyExample: { from: '2026-03-01' },
  },
);

export const rebuild = describe(accepted, NO_QUEUE, { summary: 'Rebuild all blended rates' });

export const job = describe(
  success('The job', { job: jobSchema }, { job: exampleJob }),
  { 404: 'no such job: 1', ...NO_QUEUE },
  { summary: 'State of a job', params: z.object({ id: z.string().meta({ examples: [exampleJob.id] }) }) },
);

export const runs = describe(
  success(
    'Some runs',
    { provider: z.string(), runs: z.array(runSchema), next: nextPath('runs') },
    { provider: 'ECB', runs: [exampleRun], next: null },
  ),
  { ...NO_PROVIDER, ...WRONG_LIMIT, ...NO_DATABASE },
  { summary: 'Readings of a source, newest first', params: providerPath },
);

export const audit = describe(
  success(
    'Some acts',
    { acts: z.array(actSchema), next: nextPath('acts') },
    { acts: [exampleAct], next: null },
  ),
  { ...WRONG_LIMIT, ...NO_DATABASE },
  { summary: 'Audit log of operators, newest first' },
);

export const endSessions = describe(
  success('Number of sessions', { ended: z.number().int() }, { ended: 2 }),
  NO_DATABASE,
  { summary: 'End all browser sessions' },
);

export const setAside = describe(
  success(
    'The windows, newest days first',
    { provider: z.string(), windows: z.array(setAsideSchema) },
    { provider: 'ECB', windows: [exampleSetAside] },
  ),
  { ...NO_PROVIDER, ...NO_DATABASE },
  {
    summary: 'Ranges of days that a backfill has skipped',
    description:
      'A step of a backfill that fails repeatedly while other steps succeed is set aside, and the backfill continues ' +
      'without it. A successful ingest of its days removes it from this list.',
    params: providerPath,
  },
);

export const suspects = describe(
  success(
    'Some suspects',
    { suspects: z.array(heldSuspectSchema), next: nextPath('suspects') },
    { suspects: [exampleHeldSuspect], next: null },
  ),
  { ...WRONG_LIMIT, ...NO_DATABASE },
  {
    summary: 'Suspect rates, newest first',
    description: 'By default, those that are held back from the blend.',
  },
);

const DECISIONS = {
  accept: 'Add a suspect rate to the blend',
  reject: 'Leave a suspect rate out for good',
  reopen: 'Take a decision on a suspect rate back',
};

export const ONLY_RATE =
  'Decides on this rate alone. Without it, a decision also covers the other rates of the question: those of a table whose ' +
  'own currency moved. A rate that was decided on alone becomes a question of its own.';

export function suspectDecision(name: keyof typeof DECISIONS): RouteDescription {
  const effect = name === 'reopen' ? ' The rate is judged again, as if nobody had decided.' : '';
  const errors = { 404: 'no such suspect: 812', 422: 'only must be one of rate', ...NO_QUEUE };
  return describe(accepted, errors, {
    summary: DECISIONS[name],
    description: `A job applies the decision and blends the affected days again, in one transaction. The last decision holds.${effect}`,
    params: z.object({ id: z.string().meta({ examples: [exampleHeldSuspect.id] }) }),
  });
}

function success(description: string, shape: z.ZodRawShape, example: object, status = 200) {
  const schema = z.object({ success: z.literal(true), ...shape });
  return { [status]: jsonResponse(description, schema, { success: true, ...example }) };
}

function nextPath(what: string) {
  const path = z.string().nullable();
  return path.meta({ description: `Path of the next page, with older ${what}` });
}

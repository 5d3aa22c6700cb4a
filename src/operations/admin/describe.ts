import { z } from 'zod';
import { errorResponses } from '../../http/error-responses.js';
import { bodyTooLarge } from '../../http/errors.js';
import { jsonResponse } from '../../http/json-response.js';
import { OPERATOR } from '../../http/openapi.js';
import { LARGEST_BODY, type RouteDescription } from '../../http/route.js';
import { actSchema, exampleAct } from './audit.js';
import { exampleJob, jobSchema } from './jobs.js';
import { exampleRun, runSchema } from './runs.js';
import { exampleSetAside, setAsideSchema } from './set-aside.js';
import { exampleHeldSuspect, heldSuspectSchema } from './suspects.js';
import { windowBody } from './window.js';

const accepted = success(
  'The job, and where to watch it',
  { job: z.object({ id: z.string(), watch: z.string() }) },
  { job: { id: exampleJob.id, watch: `/admin/jobs/${exampleJob.id}` } },
);
const providerPath = z.object({ key: z.string().meta({ examples: ['ECB'] }) });

const NO_TOKEN = { 401: "the operator's token is wanted", 429: 'too many wrong tokens' };
const NO_QUEUE = { 503: 'the job queue can not be reached' };
const NO_DATABASE = { 503: 'the database can not be reached' };
const NO_PROVIDER = { 404: 'no such provider: XYZ' };
const WRONG_LIMIT = { 422: 'limit must be a whole number from 1 to 200' };
const SHARED = { tags: ['Operators'], security: [{ [OPERATOR]: [] }] };

export const ingestDescription: RouteDescription = {
  ...SHARED,
  summary: 'Asks a provider for a window of days again',
  description: 'The same window asked for while its job waits or runs gives that job.',
  params: providerPath,
  body: windowBody,
  bodyExample: { from: '2026-03-01' },
  responses: {
    202: accepted,
    ...errorResponses({
      ...NO_TOKEN,
      ...NO_PROVIDER,
      413: bodyTooLarge(LARGEST_BODY),
      415: 'the body must be application/json',
      422: 'from is after to, 2026-03-01: 2026-03-18',
      ...NO_QUEUE,
    }),
  },
};

export const rebuildDescription: RouteDescription = {
  ...SHARED,
  summary: 'Blends all of history again',
  responses: {
    202: accepted,
    ...errorResponses({ ...NO_TOKEN, ...NO_QUEUE }),
  },
};

export const jobDescription: RouteDescription = {
  ...SHARED,
  summary: 'How a job is doing',
  params: z.object({ id: z.string().meta({ examples: [exampleJob.id] }) }),
  responses: {
    200: success('The job', { job: jobSchema }, { job: exampleJob }),
    ...errorResponses({ ...NO_TOKEN, 404: 'no such job: 1', ...NO_QUEUE }),
  },
};

export const runsDescription: RouteDescription = {
  ...SHARED,
  summary: 'The times a provider was asked, newest first',
  params: providerPath,
  responses: {
    200: success(
      'Some runs',
      { provider: z.string(), runs: z.array(runSchema), next: nextPath('runs') },
      { provider: 'ECB', runs: [exampleRun], next: null },
    ),
    ...errorResponses({ ...NO_TOKEN, ...NO_PROVIDER, ...WRONG_LIMIT, ...NO_DATABASE }),
  },
};

export const auditDescription: RouteDescription = {
  ...SHARED,
  summary: 'What operators did, newest first',
  responses: {
    200: success(
      'Some acts',
      { acts: z.array(actSchema), next: nextPath('acts') },
      { acts: [exampleAct], next: null },
    ),
    ...errorResponses({ ...NO_TOKEN, ...WRONG_LIMIT, ...NO_DATABASE }),
  },
};

export const endSessionsDescription: RouteDescription = {
  ...SHARED,
  summary: 'Logs every browser out',
  responses: {
    200: success('How many sessions there were', { ended: z.number().int() }, { ended: 2 }),
    ...errorResponses({ ...NO_TOKEN, ...NO_DATABASE }),
  },
};

export const setAsideDescription: RouteDescription = {
  ...SHARED,
  summary: "The windows that a provider's backfill passed over",
  description:
    'A step of a backfill that fails again and again, while the source answers otherwise, is set aside and the ' +
    'backfill goes on behind it. It is taken off this list once an ingest of days that cover it succeeds.',
  params: providerPath,
  responses: {
    200: success(
      'The windows, newest days first',
      { provider: z.string(), windows: z.array(setAsideSchema) },
      { provider: 'ECB', windows: [exampleSetAside] },
    ),
    ...errorResponses({ ...NO_TOKEN, ...NO_PROVIDER, ...NO_DATABASE }),
  },
};

export const suspectsDescription: RouteDescription = {
  ...SHARED,
  summary: 'Suspect rates, those found last first',
  description: 'Those that are held back from the blend, or those with another status.',
  responses: {
    200: success(
      'Some suspects',
      { suspects: z.array(heldSuspectSchema), next: nextPath('suspects') },
      { suspects: [exampleHeldSuspect], next: null },
    ),
    ...errorResponses({ ...NO_TOKEN, ...WRONG_LIMIT, ...NO_DATABASE }),
  },
};

export function suspectDecisionDescription(name: 'accept' | 'reject'): RouteDescription {
  return {
    ...SHARED,
    summary: name === 'accept' ? 'Takes a suspect rate into the blend' : 'Leaves a suspect rate out for good',
    description:
      'A job applies it and blends the days that it can change again: both show at once. A decision can be reversed.',
    params: z.object({ id: z.string().meta({ examples: [exampleHeldSuspect.id] }) }),
    responses: {
      202: accepted,
      ...errorResponses({ ...NO_TOKEN, 404: 'no such suspect: 812', ...NO_QUEUE }),
    },
  };
}

/** A reply that says `success`, and what else it has. */
function success(description: string, shape: z.ZodRawShape, example: object) {
  const schema = z.object({ success: z.literal(true), ...shape });
  return jsonResponse(description, schema, { success: true, ...example });
}

function nextPath(what: string) {
  return z
    .string()
    .nullable()
    .meta({ description: `Where the ${what} before these are` });
}

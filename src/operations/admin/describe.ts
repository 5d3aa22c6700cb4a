import { z } from 'zod';
import { errorResponses } from '../../http/error-responses.js';
import { jsonResponse } from '../../http/json-response.js';
import { OPERATOR } from '../../http/openapi.js';
import type { RouteDescription } from '../../http/route.js';
import { actSchema, exampleAct } from './audit.js';
import { exampleJob, jobSchema } from './jobs.js';
import { exampleRun, runSchema } from './runs.js';
import { exampleSetAside, setAsideSchema } from './set-aside.js';
import { exampleHeldSuspect, heldSuspectSchema } from './suspects.js';
import { windowBody } from './window.js';

const accepted = z.object({ success: z.literal(true), job: z.object({ id: z.string(), watch: z.string() }) });
const exampleAccepted = {
  success: true,
  job: { id: exampleJob.id, watch: `/admin/jobs/${exampleJob.id}` },
};
const providerPath = z.object({ key: z.string().meta({ examples: ['ECB'] }) });

const NO_TOKEN = { 401: "the operator's token is wanted", 429: 'too many wrong tokens' };
const NO_QUEUE = { 503: 'the job queue can not be reached' };
const SHARED = { tags: ['Operators'], security: [{ [OPERATOR]: [] }] };

export const ingestDescription: RouteDescription = {
  ...SHARED,
  summary: 'Asks a provider for a window of days again',
  description: 'The same window asked for while its job waits or runs gives that job.',
  params: providerPath,
  body: windowBody,
  bodyExample: { from: '2026-03-01' },
  responses: {
    202: jsonResponse('The job, and where to watch it', accepted, exampleAccepted),
    ...errorResponses({
      ...NO_TOKEN,
      404: 'no such provider: XYZ',
      413: 'the body is too large',
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
    202: jsonResponse('The job, and where to watch it', accepted, exampleAccepted),
    ...errorResponses({ ...NO_TOKEN, ...NO_QUEUE }),
  },
};

export const jobDescription: RouteDescription = {
  ...SHARED,
  summary: 'How a job is doing',
  params: z.object({ id: z.string().meta({ examples: [exampleJob.id] }) }),
  responses: {
    200: jsonResponse('The job', z.object({ success: z.literal(true), job: jobSchema }), {
      success: true,
      job: exampleJob,
    }),
    ...errorResponses({ ...NO_TOKEN, 404: 'no such job: 1', ...NO_QUEUE }),
  },
};

export const runsDescription: RouteDescription = {
  ...SHARED,
  summary: 'The times a provider was asked, newest first',
  params: providerPath,
  responses: {
    200: jsonResponse(
      'Some runs',
      z.object({
        success: z.literal(true),
        provider: z.string(),
        runs: z.array(runSchema),
        next: z.string().nullable().meta({ description: 'Where the runs before these are' }),
      }),
      { success: true, provider: 'ECB', runs: [exampleRun], next: null },
    ),
    ...errorResponses({
      ...NO_TOKEN,
      404: 'no such provider: XYZ',
      422: 'limit must be a whole number from 1 to 200',
      503: 'the database can not be reached',
    }),
  },
};

const NO_DATABASE = { 503: 'the database can not be reached' };

export const auditDescription: RouteDescription = {
  ...SHARED,
  summary: 'What operators did, newest first',
  responses: {
    200: jsonResponse(
      'Some acts',
      z.object({
        success: z.literal(true),
        acts: z.array(actSchema),
        next: z.string().nullable().meta({ description: 'Where the acts before these are' }),
      }),
      { success: true, acts: [exampleAct], next: null },
    ),
    ...errorResponses({ ...NO_TOKEN, 422: 'limit must be a whole number from 1 to 200', ...NO_DATABASE }),
  },
};

export const endSessionsDescription: RouteDescription = {
  ...SHARED,
  summary: 'Logs every browser out',
  responses: {
    200: jsonResponse(
      'How many sessions there were',
      z.object({ success: z.literal(true), ended: z.number().int() }),
      { success: true, ended: 2 },
    ),
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
    200: jsonResponse(
      'The windows, newest days first',
      z.object({ success: z.literal(true), provider: z.string(), windows: z.array(setAsideSchema) }),
      { success: true, provider: 'ECB', windows: [exampleSetAside] },
    ),
    ...errorResponses({
      ...NO_TOKEN,
      404: 'no such provider: XYZ',
      503: 'the database can not be reached',
    }),
  },
};

export const suspectsDescription: RouteDescription = {
  ...SHARED,
  summary: 'Suspect rates, those found last first',
  description: 'Those that are held back from the blend, or those with another status.',
  responses: {
    200: jsonResponse(
      'Some suspects',
      z.object({
        success: z.literal(true),
        suspects: z.array(heldSuspectSchema),
        next: z.string().nullable().meta({ description: 'Where the suspects before these are' }),
      }),
      { success: true, suspects: [exampleHeldSuspect], next: null },
    ),
    ...errorResponses({ ...NO_TOKEN, 422: 'limit must be a whole number from 1 to 200', ...NO_DATABASE }),
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
      202: jsonResponse('The job, and where to watch it', accepted, exampleAccepted),
      ...errorResponses({ ...NO_TOKEN, 404: 'no such suspect: 812', ...NO_QUEUE }),
    },
  };
}

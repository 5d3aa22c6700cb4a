import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { ApiDocument } from '../../http/api-document.js';
import { errorResponses } from '../../http/error-responses.js';
import { exampleJob, jobSchema } from './jobs.js';
import { exampleRun, runSchema } from './runs.js';
import { windowBody } from './window.js';

const LARGEST_PAGE = 200;

export const runsQuery = z.object({
  limit: z
    .string()
    .refine((text) => /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_PAGE, {
      error: `limit must be a whole number from 1 to ${LARGEST_PAGE}`,
    })
    .default('50')
    .transform(Number)
    .meta({ type: 'integer', minimum: 1, maximum: LARGEST_PAGE }),
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: 'before must be the id of a run' })
    .optional()
    .meta({ description: 'Only runs older than this one' }),
});

const asked = z.object({ success: z.literal(true), job: z.object({ id: z.string(), watch: z.string() }) });
const key = z.object({ key: z.string().meta({ examples: ['ECB'] }) });
const exampleAsked = {
  success: true,
  job: { id: exampleJob.id, watch: `/admin/jobs/${exampleJob.id}` },
};

const NO_TOKEN = { 401: "the operator's token is wanted" };
const NO_QUEUE = { 503: 'the job queue can not be reached' };

/** Registers the operators' routes that programs call. */
export function describeAdmin(document: ApiDocument): void {
  const { name } = document.registerComponent('securitySchemes', 'operator', {
    type: 'http',
    scheme: 'bearer',
    description: "The server's ADMIN_TOKEN",
  });
  const register = (route: Omit<RouteConfig, 'tags' | 'security'>) =>
    document.registerPath({ ...route, tags: ['Operators'], security: [{ [name]: [] }] } as RouteConfig);

  register({
    method: 'post',
    path: '/admin/providers/{key}/ingest',
    summary: 'Asks a provider for a window of days again',
    description: 'The same window asked for while its job waits or runs gives that job.',
    request: {
      params: key,
      body: {
        content: { 'application/json': { schema: windowBody, example: { from: '2026-03-01' } } },
      },
    },
    responses: {
      202: accepted('The job, and where to watch it'),
      ...errorResponses({
        ...NO_TOKEN,
        404: 'no such provider: XYZ',
        413: 'the body is too large',
        415: 'the body must be application/json',
        422: 'from is after to, 2026-03-01: 2026-03-18',
        ...NO_QUEUE,
      }),
    },
  });
  register({
    method: 'post',
    path: '/admin/blend/rebuild',
    summary: 'Blends all of history again',
    responses: {
      202: accepted('The job, and where to watch it'),
      ...errorResponses({ ...NO_TOKEN, ...NO_QUEUE }),
    },
  });
  register({
    method: 'get',
    path: '/admin/jobs/{id}',
    summary: 'How a job is doing',
    request: { params: z.object({ id: z.string() }) },
    responses: {
      200: answered(z.object({ success: z.literal(true), job: jobSchema }), {
        success: true,
        job: exampleJob,
      }),
      ...errorResponses({ ...NO_TOKEN, 404: 'no such job: 1', ...NO_QUEUE }),
    },
  });
  register({
    method: 'get',
    path: '/admin/providers/{key}/runs',
    summary: 'The times a provider was asked, newest first',
    request: { params: key, query: runsQuery },
    responses: {
      200: answered(
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
  });
}

function accepted(description: string) {
  return { description, content: { 'application/json': { schema: asked, example: exampleAsked } } };
}

function answered(schema: z.ZodType, example: unknown) {
  return { description: 'It', content: { 'application/json': { schema, example } } };
}

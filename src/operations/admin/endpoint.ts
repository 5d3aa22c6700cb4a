import * as z from 'zod';
import { uncachedJson } from '../../http/reply.js';
import {
  defineRoute,
  type QueryReader,
  type RequestContext,
  type Route,
  type RouteDescription,
} from '../../http/route.js';
import { OPERATOR } from '../../openapi/document.js';
import { errorResponses, jsonResponse } from '../../openapi/responses.js';
import { strictQuery } from '../../parameters/query.js';
import { exampleJob, jobSchema } from './jobs.js';

const NO_TOKEN = { 401: "the operators' token is required", 429: 'too many wrong tokens' };
export const NO_QUEUE = { 503: 'the job queue cannot be reached' };
export const NO_DATABASE = { 503: 'the database cannot be reached' };

export const NO_PROVIDER = { 404: ['unknown_provider', 'no such provider: XYZ'] } as const;

export const providerPath = z.object({ key: z.string().meta({ examples: ['ECB'] }) });

interface Endpoint<Query, Answer> extends Omit<RouteDescription, 'responses'> {
  summary: string;
  method?: Route['method'];
  path: string;
  /** Takes no parameters by default. */
  query?: QueryReader<Query>;
  /** Besides those of all routes for operators. */
  errors?: Parameters<typeof errorResponses>[0];
  answer(query: Query, context: RequestContext): Promise<Answer>;
}

/** A route for operators. It responds with the members that `answer` returns, which `shape` describes. */
export function endpoint<Query>(route: Endpoint<Query, object> & { shape: z.ZodRawShape }): Route {
  const { shape, answer, ...rest } = route;
  return routeOf(rest, { 200: success(rest.summary, shape) }, async (query, context) =>
    uncachedJson({ success: true, ...(await answer(query, context)) }),
  );
}

/** A route by which operators have a job done, whose ID `answer` returns. */
export function jobRequest<Query>({ answer, errors, ...rest }: Endpoint<Query, string>): Route {
  const watchSchema = z.string().meta({ example: `/admin/jobs/${exampleJob.id}` });
  const shape = { job: z.object({ id: jobSchema.shape.id, watch: watchSchema }) };
  const route = { method: 'post' as const, ...rest, errors: { ...errors, ...NO_QUEUE } };
  return routeOf(route, { 202: success('The job, and where to watch it', shape) }, async (query, context) => {
    const id = await answer(query, context);
    const watch = `/admin/jobs/${encodeURIComponent(id)}`;
    return { ...uncachedJson({ success: true, job: { id, watch } }, 202), headers: ['location', watch] };
  });
}

function success(about: string, shape: z.ZodRawShape) {
  return jsonResponse(about, z.object({ success: z.literal(true), ...shape }));
}

function routeOf<Query>(
  { method = 'get', path, query, errors, ...described }: Omit<Endpoint<Query, unknown>, 'answer'>,
  response: RouteDescription['responses'],
  handle: Route<Query>['handle'],
): Route {
  const responses = { ...response, ...errorResponses({ ...NO_TOKEN, ...errors }) };
  return defineRoute<Query>({
    method,
    path,
    query: query ?? (strictQuery(z.object({})) as QueryReader<Query>),
    ...(described.body && { body: 'json' }),
    description: { tags: ['Administration'], security: [{ [OPERATOR]: [] }], ...described, responses },
    handle,
  });
}

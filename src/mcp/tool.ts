import { z } from 'zod';
import { excerptOfList } from '../http/excerpt.js';
import type { DeferredReply, Reply } from '../http/reply.js';
import type { RequestContext, Route } from '../http/route.js';

/** Arguments of a call, as the schema of its tool has parsed them. */
type Arguments = Readonly<Record<string, unknown>>;

/** What a client of the Model Context Protocol can call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Runs the handler of the route. Throws as it does. */
  call(input: Arguments, context: RequestContext): Promise<Reply | DeferredReply>;
}

interface ToolOptions extends Pick<Tool, 'name' | 'title' | 'description'> {
  /** The parameters of the route's query that the tool takes. */
  parameters: readonly string[];
  /** Those of them that the tool requires and the route does not. */
  required?: readonly string[];
  /** What every call has in its query besides. */
  always?: Arguments;
}

/**
 * A tool over a route that is read by GET. Its arguments are the parameters of the route's path and some of its query,
 * with the schemas that check them over HTTP.
 */
export function toolOver(route: Route, options: ToolOptions): Tool {
  const { parameters, required = [], always = {}, ...named } = options;
  const path = route.description?.params?.shape ?? {};
  const query = route.query?.schema.shape ?? {};
  const taken = Object.fromEntries(parameters.map((name) => [name, query[name]]));
  const queryOf = (input: Arguments) => ({ ...pick(input, Object.keys(taken)), ...always });
  return {
    ...named,
    input: z
      .strictObject({ ...path, ...taken }, { error: nameUnknown })
      .required(Object.fromEntries(required.map((name) => [name, true]))),
    async call(input, { id, client, isSecure, signal, yieldNow, waitBudget }) {
      const params = pick(input, Object.keys(path)) as Record<string, string>;
      const asked = { headers: {}, params, body: undefined };
      return route.handle(queryOf(input), { ...asked, id, client, isSecure, signal, yieldNow, waitBudget });
    },
  };
}

/** The library itself would repeat every name that a client made up. */
const nameUnknown: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'unrecognized_keys' ? `unknown: ${excerptOfList(issue.keys)}` : undefined;

function pick(input: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}

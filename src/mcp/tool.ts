import { z } from 'zod';
import type { MakeContent } from '../http/dispatcher.js';
import { HttpError, type ParameterFault } from '../http/errors.js';
import type { QueryReader, RequestContext, Route } from '../http/route.js';
import { strictQuery } from '../parameters/query.js';
import { textsOf } from './given-arguments.js';
import { type JsonSchema, structuredSchemaOf } from './structured-result.js';
import { textOf } from './text-of.js';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  /** Throws the errors of the route's handler and of `textOf`. */
  call(given: unknown, context: RequestContext): Promise<string>;
}

export interface ToolOptions extends Pick<Tool, 'name' | 'title' | 'description'> {
  parameters?: readonly string[];
  /** Parameters that the tool requires although the route does not. */
  required?: readonly string[];
  always?: Readonly<Record<string, string>>;
}

/** The arguments of a tool are the parameters of its route, and are read like those of a request. */
export function toolOver(route: Route, makeContent: MakeContent, options: ToolOptions): Tool {
  const { parameters = [], required = [], always = {}, ...named } = options;
  const path = route.description?.params?.shape ?? {};
  const query = route.query?.schema.shape ?? {};
  const taken = Object.fromEntries(parameters.map((name) => [name, query[name]]));
  const set = Object.fromEntries(Object.keys(always).map((name) => [name, query[name]]));
  const reader = strictQuery(z.object({ ...taken, ...set }));
  const schema = z
    .strictObject({ ...path, ...taken })
    .required(Object.fromEntries(required.map((name) => [name, true])));
  const input = z.toJSONSchema(schema, { io: 'input', override: addExamples });
  return {
    ...named,
    input,
    output: structuredSchemaOf(route),
    async call(given, context) {
      const texts = textsOf(given);
      const inPath = texts.filter(([name]) => Object.hasOwn(path, name));
      const inQuery = texts.filter(([name]) => !Object.hasOwn(path, name) && !Object.hasOwn(always, name));
      const target = `${route.path}?${new URLSearchParams([...inQuery, ...Object.entries(always)])}`;
      const read = readQuery(reader, target, missingFrom(input, texts));
      const asked = { headers: {}, params: Object.fromEntries(inPath), body: undefined };
      const { id, client, isSecure, signal, waitBudget } = context;
      const whenOver = (callback: () => void) => context.whenOver(callback);
      const own = { ...asked, id, client, isSecure, signal, waitBudget, whenOver };
      const handled = await route.handle(read, own);
      return textOf('maker' in handled ? await makeContent(handled, own) : handled.content);
    },
  };
}

/** Zod omits the examples of a transformed value, as they show its input. Tools describe input. */
function addExamples({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: JsonSchema;
}): void {
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (Array.isArray(examples)) jsonSchema.examples = examples;
}

/** Throws an HttpError with the missing and the invalid parameters. */
function readQuery(
  reader: QueryReader<unknown>,
  target: string,
  missing: readonly ParameterFault[],
): unknown {
  const names = missing.map(({ parameter }) => parameter);
  try {
    const query = reader.read(target);
    if (missing.length === 0) return query;
  } catch (error) {
    if (!(error instanceof HttpError) || missing.length === 0) throw error;
    const others = error.parameters.filter(({ parameter }) => !names.includes(parameter));
    throw new HttpError(error.status, error.message, { parameters: [...missing, ...others] });
  }
  throw new HttpError(422, `required: ${names.join()}`, { parameters: missing });
}

function missingFrom(
  { properties, required = [] }: JsonSchema,
  texts: ReturnType<typeof textsOf>,
): ParameterFault[] {
  const missing = required.filter((name) => !texts.some(([given]) => given === name));
  return missing.map((name) => {
    const { examples: [example] = [] } = Object(properties?.[name]) as JsonSchema;
    return { parameter: name, message: `${name} is required, such as ${example}` };
  });
}

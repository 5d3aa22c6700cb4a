import * as z from 'zod';
import { mayBeRounded, SEND_AS_STRING } from '../../core/domain/amount.js';
import type { MakeContent } from '../http/dispatcher.js';
import { HttpError, parameterError } from '../http/errors.js';
import type { Content } from '../http/reply.js';
import type { RequestContext, Route } from '../http/route.js';
import { strictQuery } from '../parameters/query.js';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

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
  const shape = route.query?.schema.shape ?? {};
  const taken = Object.fromEntries(parameters.map((name) => [name, shape[name]]));
  const set = Object.fromEntries(Object.keys(always).map((name) => [name, shape[name]]));
  const schema = z
    .strictObject({ ...path, ...taken })
    .required(Object.fromEntries(required.map((name) => [name, true])));
  const reader = strictQuery(z.object({ ...schema.shape, ...set }));
  return {
    ...named,
    input: z.toJSONSchema(schema, { io: 'input', override: addExamples }),
    output: structuredSchemaOf(route),
    async call(given, context) {
      const own = textsOf(given).filter(([name]) => !Object.hasOwn(always, name));
      const read = reader.read(`${route.path}?${new URLSearchParams([...own, ...Object.entries(always)])}`);
      const isInPath = ([name]: [string, unknown]) => Object.hasOwn(path, name);
      const params = Object.fromEntries(Object.entries(read).filter(isInPath)) as Record<string, string>;
      const query = Object.fromEntries(Object.entries(read).filter((entry) => !isInPath(entry)));
      const { id, client, isSecure, signal, waitBudget } = context;
      const whenOver = (callback: () => void) => context.whenOver(callback);
      const asked = { headers: {}, params, body: undefined };
      const asking = { ...asked, id, client, isSecure, signal, waitBudget, whenOver };
      const handled = await route.handle(query, asking);
      return textOf('maker' in handled ? await makeContent(handled, asking) : handled.content);
    },
  };
}

/** Zod omits the examples of a transformed value, as they show its input. Tools describe input. */
const addExamples: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const examples = z.globalRegistry.get(zodSchema)?.examples;
  if (Array.isArray(examples)) jsonSchema.examples = examples;
};

/** Throws if the OpenAPI document does not describe JSON for the route. */
function structuredSchemaOf({ path, description }: Route): JsonSchema {
  const reply = description?.responses[200];
  const content = reply && 'content' in reply ? reply.content?.['application/json'] : undefined;
  const schema = content && 'schema' in content ? content.schema : undefined;
  if (!(schema instanceof z.ZodType)) throw new Error(`the result of ${path} is not described`);
  const whole = schema instanceof z.ZodArray ? z.object({ rows: schema }) : schema;
  const described = z.toJSONSchema(whole, {
    override({ jsonSchema }) {
      // Members that are added later must not make a client refuse the result.
      delete jsonSchema.additionalProperties;
      delete jsonSchema.example;
      delete jsonSchema.properties?.receipt;
    },
  });
  // No tool returns receipts, whose description takes thousands of characters.
  delete described.$defs?.Receipt;
  return described;
}

const KIBIBYTE = 1024;
/** A model reads a complete result, at about three bytes per token. */
const LONGEST_RESULT = 128 * KIBIBYTE;
const TOO_LONG = `the result is longer than ${LONGEST_RESULT / KIBIBYTE} KiB: ask for fewer quotes, a shorter range or a longer group`;

/** Throws an HttpError 422 if the body is too long for a model to read. */
async function textOf({ body }: Partial<Content> = {}): Promise<string> {
  const chunks =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? [body ?? ''] : body;
  const read: Buffer[] = [];
  let length = 0;
  // Leaving the loop closes a stream.
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > LONGEST_RESULT) throw new HttpError(422, TOO_LONG);
    read.push(Buffer.from(chunk as Uint8Array));
  }
  return Buffer.concat(read).toString();
}

/** Throws an HttpError 422 for an amount that may have lost digits. Models may also send numbers, and arrays for lists. Null, empty and boolean values count as absent. */
function textsOf(given: unknown): [name: string, text: string][] {
  const isNamed = typeof given === 'object' && given !== null && !Array.isArray(given);
  return Object.entries(isNamed ? given : {}).flatMap(([name, value]): [string, string][] => {
    if (name === 'amount' && mayBeRounded(value)) throw parameterError(422, name, `amount ${SEND_AS_STRING}`);
    const text = argumentText(value);
    return text === '' ? [] : [[name, name === 'precision' ? precisionOf(text) : text]];
  });
}

function argumentText(value: unknown): string {
  return Array.isArray(value) ? value.map(itemText).filter(Boolean).join() : itemText(value);
}

function itemText(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  // The route refuses what is nested, with a message about the expected form. It may be too deep to be written.
  if (typeof value === 'object') return Array.isArray(value) ? '[…]' : '{…}';
  return String(value).trim();
}

/** Models request a number of digits. They get full precision, and round themselves. */
function precisionOf(text: string): string {
  return /^\d+$/.test(text) ? 'full' : text;
}

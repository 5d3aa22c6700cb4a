import {
  createMcpHandler,
  McpServer,
  type StandardSchemaWithJSON,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { isBlended, providers } from '../../core/domain/providers.js';
import { softwareVersion } from '../../core/process/project-files.js';
import { HttpError } from '../http/errors.js';
import { NO_STORE, type Reply } from '../http/reply.js';
import type { RequestContext } from '../http/route.js';
import type { JsonSchema, Tool } from './tool.js';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];
const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
const INSTRUCTIONS = `Official exchange rates of currencies, blended from ${providers.filter(({ key }) => isBlended(key)).length} central banks and other sources, since 1999 and longer. Dates are YYYY-MM-DD, currencies ISO 4217 codes with commas between.`;

/** Refuses pages of foreign hosts against DNS rebinding, as the protocol requires. Throws an HttpError 403. */
export function refuseForeignPage({ headers }: RequestContext, hosts: readonly string[]): void {
  if (validateOriginHeader(headers.origin, [...LOCAL, ...hosts]).ok) return;
  throw new HttpError(403, 'pages of this origin may not use the tools; the operator can allow it');
}

/** A client error or a 501 becomes a result, so that a model can correct its arguments. Throws all other errors. */
export async function replyToMessage(tools: readonly Tool[], context: RequestContext): Promise<Reply> {
  const { params } = Object(context.body) as { params?: { arguments?: unknown } };
  let failure: unknown;
  const resultOf = async (tool: Tool) => {
    try {
      const text = await tool.call(params?.arguments, context);
      return { ...textResult(text), structuredContent: structured(text) };
    } catch (error) {
      const message = error instanceof HttpError ? messageOf(error) : undefined;
      if (message === undefined) failure = error;
      return { ...textResult(message ?? 'it failed'), isError: true };
    }
  };
  const createServer = () => {
    const own = { name: 'almanac', version: softwareVersion };
    const server = new McpServer(own, { instructions: INSTRUCTIONS });
    for (const tool of tools) {
      const { name, title, description } = tool;
      const inputSchema = describing(tool.input);
      const outputSchema = describing(tool.output);
      const described = { title, description, inputSchema, outputSchema, annotations: READ_ONLY };
      server.registerTool(name, described, () => resultOf(tool));
    }
    return server;
  };
  // Nothing changes that a client could subscribe to.
  const handler = createMcpHandler(createServer, { maxSubscriptions: 0 });
  const response = await handler.fetch(webRequest(context), { parsedBody: withoutArguments(context.body) });
  const text = await response.text();
  if (failure !== undefined) throw failure;
  const type = response.headers.get('content-type');
  return {
    status: response.status,
    validity: NO_STORE,
    ...(type !== null && { content: { type, body: Buffer.from(text) } }),
  };
}

/** Describes a schema to the library. It accepts everything, as the tools check their arguments themselves. */
function describing(schema: JsonSchema): StandardSchemaWithJSON {
  const json = () => ({ ...schema });
  const validate = (value: unknown) => ({ value });
  return {
    '~standard': { version: 1, vendor: 'almanac', validate, jsonSchema: { input: json, output: json } },
  };
}

/** Returns a JSON result as an object, as the protocol requires. */
function structured(text: string): Record<string, unknown> {
  const result: unknown = JSON.parse(text);
  return Array.isArray(result) ? { rows: result } : Object(result);
}

/** Undefined for an error that a model can't correct. */
function messageOf(error: HttpError): string | undefined {
  // The message says which API has the data.
  if (error.status === 501) return error.message;
  return error.status < 500 ? sentencesOf(error) : undefined;
}

function sentencesOf({ message, parameters }: HttpError): string {
  const sentences = parameters.map((fault) =>
    fault.message.includes(fault.parameter) ? fault.message : `${fault.parameter}: ${fault.message}`,
  );
  return sentences.length > 0 ? sentences.join('\n') : message;
}

/** Removes the arguments, which the library would check. The tool reads them in any form. */
function withoutArguments(body: unknown): unknown {
  const { params } = Object(body) as { params?: unknown };
  const hasArguments = typeof params === 'object' && params !== null && 'arguments' in params;
  return hasArguments ? { ...Object(body), params: { ...params, arguments: {} } } : body;
}

function textResult(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

function webRequest({ headers, signal }: RequestContext): Request {
  const known = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && /^(accept|content-type|mcp-.*)$/.test(entry[0]),
  );
  // The library ignores the host.
  return new Request('http://localhost/mcp', { method: 'POST', headers: known, signal });
}

import type { Content } from '../../http/reply.js';
import type { DialectRequest, DialectRoute } from './dialect.js';
import type { RatesReader, WantedDay, WantedRange } from './dialect-rates.js';
import { schemaOf } from './schema-of.js';

type Parameters = Readonly<Record<string, string>>;

/** The requested rates, and the body made from them. */
export interface JsonAnswer {
  wanted: WantedDay | WantedRange;
  /** Throws a DialectError. */
  body(read: RatesReader): object | Promise<object>;
}

/** A path of a service, the descriptions of its parameters, its handler, and an example of a body. */
type JsonPath = readonly [
  path: string,
  parameters: Parameters,
  answer: (request: DialectRequest) => JsonAnswer,
  example: object,
];

interface Service {
  name: string;
  /** The path prefixes. Each contains all paths. */
  folders: readonly string[];
  /** The parameters of all paths. */
  parameters: Parameters;
  written(body: object, query: DialectRequest['query']): Content;
}

/** The routes of a service whose bodies are JSON. */
export function jsonRoutes(
  { name, folders, parameters, written }: Service,
  paths: readonly JsonPath[],
): DialectRoute[] {
  const routesIn = (folder: string) =>
    paths.map(([path, own, answer, example]) => ({
      path: `${folder}/${path}`,
      summary: `As ${name} answers ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      parameters: { ...own, ...parameters },
      schema: schemaOf(example),
      example,
      answer(request: DialectRequest) {
        const { wanted, body } = answer(request);
        return {
          wanted,
          write: async (read: RatesReader) => written(await body(read), request.query),
        };
      },
    }));
  return folders.flatMap(routesIn);
}

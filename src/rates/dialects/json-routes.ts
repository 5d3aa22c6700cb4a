import type { Content } from '../../http/reply.js';
import type { DialectRequest, DialectRoute } from './dialect.js';
import type { RatesReader, WantedDay, WantedRange } from './dialect-rates.js';
import { schemaOf } from './schema-of.js';

type Parameters = Readonly<Record<string, string>>;

/** What is asked, and the body that is made of its rates. */
export interface JsonAnswer {
  wanted: WantedDay | WantedRange;
  /** Throws a DialectError. */
  body(read: RatesReader): object | Promise<object>;
}

/** A path of a service, what each parameter means, how it is answered, and an example of a body. */
type JsonPath = readonly [
  path: string,
  parameters: Parameters,
  answer: (request: DialectRequest) => JsonAnswer,
  example: object,
];

interface Service {
  name: string;
  /** The paths stand in each of them. */
  folders: readonly string[];
  /** Those of all paths. */
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

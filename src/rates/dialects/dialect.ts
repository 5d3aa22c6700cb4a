import type * as z from 'zod';
import type { CalendarDate } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/admission.js';
import type { HttpError } from '../../http/errors.js';
import type { RatesReader, WantedDay, WantedRange } from './dialect-rates.js';

/** The requests and responses of another service, served from the blended rates or those of one provider. */
export interface Dialect {
  readonly name: string;
  /** The path prefixes. Each contains all routes. All begin with the same segment. */
  readonly folders: readonly string[];
  readonly routes: readonly DialectRoute[];
  /** The descriptions of the query parameters of all routes, by name. `callback` makes any body a script. */
  readonly parameters?: Texts;
  /** The indentation of a body, in spaces or as a text. Bodies have one line if absent. */
  indent?(request: Pick<DialectRequest, 'query' | 'params'>): number | string;
  /** An example of each error, besides 429 and 503. */
  readonly errors: readonly HttpError[];
  /** Makes the error body that its clients expect, if not the default one. */
  errorBody?(error: Pick<HttpError, 'status' | 'dialectCode' | 'message'>): object;
}

type Texts = Readonly<Record<string, string>>;

export interface DialectRoute {
  /** The path below each of the folders, in the syntax of Express. */
  readonly path: string;
  /** If absent, it is made from the path. */
  readonly summary?: string;
  readonly parameters?: Texts;
  /** The parts of an example request that differ from the examples of the parameters. */
  readonly exampleOf?: Partial<DialectRequest>;
  /** The body of the example request, set by `withExamples`. */
  readonly example?: object;
  /** The schema of the response. If absent, it is derived from the example. */
  readonly schema?: z.ZodType;
  answer(request: DialectRequest): DialectAnswer;
}

export interface DialectRequest {
  /** The supported query parameters, trimmed; an empty one is absent. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly params: Texts;
  /** In UTC. */
  readonly today: CalendarDate;
}

/** How to respond to a request. `answer` and `body` throw an HttpError. A body is JSON, or else a `FileBody`. */
export interface DialectAnswer {
  /** The days that the body depends on. It is cached for as long as their rates. */
  readonly wanted: WantedDay | WantedRange;
  readonly cost?: Partial<Cost>;
  body(read: RatesReader): object | Promise<object>;
}

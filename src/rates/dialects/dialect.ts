import { z } from 'zod';
import { type Clock, today as todayIn } from '../../../core/domain/clock.js';
import { type CalendarDate, fromDayNumber } from '../../../core/domain/dates.js';
import type { Cost } from '../../http/admission.js';
import { HttpError } from '../../http/errors.js';
import type { Content, ErrorForm } from '../../http/reply.js';
import type { HeaderList } from '../../http/representation.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../../http/route.js';
import { jsonResponse } from '../../openapi/responses.js';
import type { Ground, Knowledge, MakeFromRates, RatesInput } from '../engine/knowledge.js';
import type { Rates } from '../rates.js';
import {
  createRatesReader,
  isTimed,
  type RatesReader,
  requestFor,
  type WantedDay,
  type WantedRange,
} from './dialect-rates.js';
import { EXAMPLES, IN_PATHS } from './parameter-texts.js';

/** The requests and responses of another service, served from the blended rates. */
export interface Dialect {
  /** The first segment of its paths. */
  readonly segment: string;
  readonly routes: readonly DialectRoute[];
  /** The error format that its clients expect, if not the default. Its `code` is that of a DialectError. */
  readonly errorForm?: ErrorForm;
  /** Examples of these errors, by status. */
  readonly errors: NonNullable<RouteDescription['responses']>;
}

/** A request of a dialect. */
export interface DialectRequest {
  /** The route's own query parameters, trimmed; an empty one is absent. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** In UTC. */
  readonly today: CalendarDate;
}

/** How to respond to a request. Both members throw a DialectError. */
export interface DialectAnswer {
  /** The days that the body depends on. It is cached for as long as their rates. */
  readonly wanted: WantedDay | WantedRange;
  /** Overrides parts of the request's estimated cost. */
  readonly cost?: Partial<Cost>;
  write(read: RatesReader): Content | Promise<Content>;
}

export interface DialectRoute {
  /** In the syntax of Express. */
  readonly path: string;
  readonly summary: string;
  /** The descriptions of the query parameters, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The schema and an example of the response. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  answer(request: DialectRequest): DialectAnswer;
}

/** An error with the code that the other service uses for it. */
export class DialectError extends HttpError {
  constructor(status: number, code: string | number, message: string) {
    super(status, message, { code });
  }
}

const TAGS = ['Dialects'];

interface Dependencies {
  rates: Rates;
  clock: Clock;
}

/** The routes of a dialect. */
export function routesOf({ routes, errors }: Dialect, dependencies: Dependencies): Route[] {
  return routes.map((route) => routeOf(route, errors, dependencies));
}

function routeOf(route: DialectRoute, errors: Dialect['errors'], { rates, clock }: Dependencies): Route {
  const { path, summary, parameters = {}, schema, example } = route;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return defineRoute({
    method: 'get',
    path,
    limit: 'currency',
    query: queryReader(parameters),
    description: {
      summary,
      tags: TAGS,
      params: z.object(Object.fromEntries(names.map((name) => [name, textOf(name, IN_PATHS[name])]))),
      responses: { 200: jsonResponse('As the other service answers', schema, example), ...errors },
    },
    handle(query, { params }) {
      const today = todayIn(clock);
      const { wanted, cost = {} } = route.answer({ query, params, today });
      const request = requestFor(wanted, clock);
      const rows = isTimed(wanted, today) ? undefined : request.when;
      return rates.ask('dialect', { request, layout: { path, params, query }, rows }, { cost });
    },
  });
}

interface DialectLayout extends Pick<DialectRequest, 'params' | 'query'> {
  /** The path of the route. */
  path: string;
}

/** Creates the maker of the bodies of some dialects. */
export function makerOf(dialects: readonly Dialect[]): MakeFromRates<RatesInput<DialectLayout>> {
  const routes = new Map(dialects.flatMap((dialect) => dialect.routes.map((route) => [route.path, route])));
  return async ({ layout: { path, ...asked }, today }, knowledge, ground) => {
    const answer = routes.get(path)?.answer({ ...asked, today: fromDayNumber(today) });
    if (!answer) throw new Error(`no dialect has the path ${path}`);
    const content = await answer.write(createRatesReader(knowledge, ground));
    return { ...content, headers: await asOfHeader(answer.wanted, knowledge, ground) };
  };
}

/** The same header as in `/v2`: the requested day, or the one up to which the newest rates were searched. */
async function asOfHeader(
  wanted: WantedDay | WantedRange,
  { newestDay }: Knowledge,
  ground: Ground,
): Promise<HeaderList> {
  if (!('date' in wanted)) return [];
  const newest = await newestDay(ground);
  const day = wanted.date ?? (newest === undefined ? undefined : fromDayNumber(newest));
  return day === undefined ? [] : ['x-rates-as-of', day];
}

/**
 * Reads a query as clients of such services expect: unknown parameters are ignored, the last of a repeated parameter counts,
 * and an empty one is absent.
 */
function queryReader(parameters: Readonly<Record<string, string>>): QueryReader<DialectRequest['query']> {
  const names = Object.keys(parameters);
  return {
    schema: z.object(
      Object.fromEntries(names.map((name) => [name, textOf(name, parameters[name]).optional()])),
    ),
    read: (target) => queryOf(target, names),
  };
}

function textOf(name: string, description: string | undefined): z.ZodString {
  return z.string().meta({ description, examples: [EXAMPLES[name]] });
}

/** Returns the named parameters of the query in a request's target. */
export function queryOf(target = '', names: readonly string[]): DialectRequest['query'] {
  const values = new URLSearchParams(target.split('?').slice(1).join('?'));
  const last = (name: string) => values.getAll(name).at(-1)?.trim() || undefined;
  return Object.fromEntries(names.map((name) => [name, last(name)]));
}

/** Returns a code in upper case. */
export function codeIn(text: string): string {
  return text.trim().toUpperCase();
}

/** Splits codes at commas and converts them to upper case. Undefined if there are none. */
export function codesIn(text: string | undefined): string[] | undefined {
  const codes = text
    ?.split(',')
    .map(codeIn)
    .filter((code) => code !== '');
  return codes && codes.length > 0 ? codes : undefined;
}

/** Parses a boolean parameter: true for `1` or `true`, false for `0` or `false`, otherwise undefined. */
export function booleanIn(text: string | undefined): boolean | undefined {
  const word = text?.toLowerCase();
  if (word === '1' || word === 'true') return true;
  return word === '0' || word === 'false' ? false : undefined;
}

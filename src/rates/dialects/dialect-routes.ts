import { z } from 'zod';
import { type Clock, today as todayIn } from '../../../core/domain/clock.js';
import { fromDayNumber, isCalendarDate } from '../../../core/domain/dates.js';
import { HttpError } from '../../http/errors.js';
import { type Content, type ErrorForm, JSON_TYPE } from '../../http/reply.js';
import type { HeaderList } from '../../http/representation.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../../http/route.js';
import { errorResponses, jsonResponse, LOADING, TOO_MANY } from '../../openapi/responses.js';
import type { MakeFromRates, RatesContext, RatesInput, RatesView } from '../engine/rates-view.js';
import type { Rates } from '../rates.js';
import { asOfDay } from '../snapshot/rows.js';
import { FileBody } from './answers.js';
import type { Dialect, DialectRequest } from './dialect.js';
import { createRatesReader, isTimed, requestFor, type WantedDay, type WantedRange } from './dialect-rates.js';
import { PARAMETERS, parametersIn } from './parameters.js';

/** Returns the routes of a dialect, one for each path in each folder. */
export function routesOf(dialect: Dialect, { rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  const responses = errorsOf(dialect);
  return pathsOf(dialect).map(({ path, route }) => {
    const { example = {}, schema, answer } = route;
    const { summary = `As ${dialect.name} answers ${route.path.replaceAll(/:(\w+)/g, '{$1}')}` } = route;
    const inPath = parametersIn(path).map((name) => [name, textOf(name, PARAMETERS[name]?.inPath)]);
    return defineRoute({
      method: 'get',
      path,
      limit: 'currency',
      query: queryReader({ ...route.parameters, ...dialect.parameters }),
      description: {
        summary,
        tags: ['Dialects'],
        params: z.object(Object.fromEntries(inPath)),
        responses: { 200: responseOf('As the other service answers', example, schema), ...responses },
      },
      handle(query, { params }) {
        const today = todayIn(clock);
        const { wanted, cost = {} } = answer({ query, params, today });
        const request = requestFor(wanted, clock);
        const rows = isTimed(wanted, today) ? undefined : request.when;
        return rates.ask('dialect', { request, layout: { path, params, query }, rows }, { cost });
      },
    });
  });
}

function pathsOf(dialect: Dialect) {
  return dialect.folders.flatMap((folder) =>
    dialect.routes.map((route) => ({ path: `${folder}/${route.path}`, dialect, route })),
  );
}

type Asked = Pick<DialectRequest, 'query' | 'params'>;
type Layout = Asked & { path: string };

/** Returns the function that makes the body of any path of the dialects. */
export function makerOf(dialects: readonly Dialect[]): MakeFromRates<RatesInput<Layout>> {
  const routes = new Map(dialects.flatMap(pathsOf).map((each) => [each.path, each]));
  return async ({ layout: { path, ...asked }, today }, view, context) => {
    const found = routes.get(path);
    if (!found) throw new Error(`no dialect has the path ${path}`);
    const { wanted, body } = found.route.answer({ ...asked, today: fromDayNumber(today) });
    const content = contentOf(found.dialect, await body(createRatesReader(view, context)), asked);
    return { ...content, headers: await asOfHeader(wanted, view, context) };
  };
}

const CALLBACK = /^[A-Za-z_$][\w$.]{0,63}$/;

function contentOf({ indent }: Dialect, body: object, request: Asked): Content {
  if (body instanceof FileBody) return { type: body.type, body: body.body };
  const text = JSON.stringify(body, null, indent?.(request));
  const { callback } = request.query;
  if (callback === undefined || !CALLBACK.test(callback)) return { type: JSON_TYPE, body: Buffer.from(text) };
  // A body that begins with a comment can't be mistaken for another type of file.
  const script = `/**/${callback}(${text})`;
  return { type: 'application/javascript; charset=utf-8', body: Buffer.from(script) };
}

/** The same header as in `/v2`: the day of the newest observation, or the requested day if that is earlier. */
async function asOfHeader(
  wanted: WantedDay | WantedRange,
  { newestDay }: RatesView,
  context: RatesContext,
): Promise<HeaderList> {
  if ('from' in wanted) return [];
  const day = asOfDay(requestFor(wanted, context.clock).when, await newestDay(context));
  return day === undefined ? [] : ['x-rates-as-of', fromDayNumber(day)];
}

/** How a dialect writes errors; undefined if as all other routes do. */
export function errorFormOf(dialect: Dialect): ErrorForm | undefined {
  const { errorBody, parameters = {} } = dialect;
  if (!errorBody) return undefined;
  return (error, { url }) => {
    const query = queryOf(url, Object.keys(parameters));
    return { content: contentOf(dialect, errorBody(error), { query, params: {} }) };
  };
}

function errorsOf({ errors, errorBody }: Dialect): RouteDescription['responses'] {
  const all = [...errors, new HttpError(429, TOO_MANY[429]), new HttpError(503, LOADING)];
  if (!errorBody) return errorResponses(Object.fromEntries(all.map((one) => [one.status, one.message])));
  return Object.fromEntries(all.map((one) => [one.status, responseOf(one.message, errorBody(one))]));
}

function responseOf(description: string, example: object, schema?: z.ZodType) {
  if (!(example instanceof FileBody)) return jsonResponse(description, schema ?? schemaOf(example), example);
  const [type = ''] = example.type.split(';');
  return { description, content: { [type]: { schema: z.string(), example: String(example.body) } } };
}

/** Reads as such clients expect: ignores unknown and empty parameters, and uses the last of a repeated one. */
function queryReader(parameters: Readonly<Record<string, string>>): QueryReader<DialectRequest['query']> {
  const described = Object.entries(parameters).map(([name, text]) => [name, textOf(name, text).optional()]);
  return {
    schema: z.object(Object.fromEntries(described)),
    read: (target) => queryOf(target, Object.keys(parameters)),
  };
}

function textOf(name: string, description: string | undefined): z.ZodString {
  return z.string().meta({ description, examples: [PARAMETERS[name]?.example] });
}

function queryOf(target = '', names: readonly string[]): DialectRequest['query'] {
  const values = new URLSearchParams(target.split('?').slice(1).join('?'));
  const last = (name: string) => values.getAll(name).at(-1)?.trim() || undefined;
  return Object.fromEntries(names.map((name) => [name, last(name)]));
}

/** Members named after a currency, a pair or a day. */
const NAMES = /^(?:[A-Z]{3}|[A-Z]{6}|\d{4}-\d{2}-\d{2})$/;

const INSTANT = /^\d{4}-\d{2}-\d{2}T.*Z$/;

function schemaOf(example: unknown): z.ZodType {
  if (typeof example === 'string') {
    if (isCalendarDate(example)) return z.iso.date();
    return INSTANT.test(example) ? z.iso.datetime() : z.string();
  }
  if (typeof example === 'number') return z.number();
  if (typeof example === 'boolean') return z.boolean();
  if (Array.isArray(example)) return z.array(schemaOf(example[0]));
  const members = Object.entries(example ?? {});
  const [[name, value] = ['', undefined]] = members;
  if (NAMES.test(name)) return z.record(z.string(), schemaOf(value));
  return z.object(Object.fromEntries(members.map(([name, value]) => [name, schemaOf(value)])));
}

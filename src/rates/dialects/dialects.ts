import * as z from 'zod';
import { type Clock, fromDayNumber, isCalendarDate, today as todayIn } from '../../../core/domain/dates.js';
import type { ClientKeys } from '../../http/client-keys.js';
import { HttpError } from '../../http/errors.js';
import { pathOf } from '../../http/exchange.js';
import { type Content, type ErrorForm, type ErrorForms, JSON_TYPE } from '../../http/reply.js';
import { defineRoute, type QueryReader, type Route, type RouteDescription } from '../../http/route.js';
import { errorResponses, jsonResponse, LOADING, TOO_MANY } from '../../openapi/responses.js';
import type { MakeFromRates, RatesInput } from '../engine/rates-view.js';
import type { Rates } from '../rates.js';
import { asOfDay } from '../snapshot/rows.js';
import { dialects } from './all-dialects.js';
import { type Dialect, type DialectRequest, type DialectRoute, FileBody } from './dialect.js';
import { createRatesReader, isTimed, requestFor } from './dialect-rates.js';
import { PARAMETERS, parametersIn } from './parameters.js';

function segmentOf({ folders: [folder = ''] }: Dialect): string {
  return folder.split('/')[1] ?? '';
}

/** The routes of the dialects by path, one for each path in each folder. */
const ROUTES: ReadonlyMap<string, { dialect: Dialect; route: DialectRoute }> = new Map(
  dialects.flatMap((dialect) =>
    dialect.folders.flatMap((folder) =>
      dialect.routes.map((route) => [`${folder}/${route.path}`, { dialect, route }] as const),
    ),
  ),
);

type Asked = Pick<DialectRequest, 'query' | 'params'>;
type Layout = Asked & { path: string };

export function dialectRoutes({ rates, clock }: { rates: Rates; clock: Clock }): Route[] {
  return [...ROUTES].map(([path, { dialect, route }]) => {
    const { example = {}, schema, answer } = route;
    const equivalent = `Equivalent of ${route.path.replaceAll(/:(\w+)/g, '{$1}')} at ${dialect.name}`;
    const inPath = parametersIn(path).map((name) => [name, textOf(name, PARAMETERS[name]?.inPath)]);
    const error = errorWithSuccess(dialect);
    const body = responseOf('The response in the form of that service', example, schema, error);
    return defineRoute({
      path,
      limit: 'currency',
      query: queryReader({ ...route.parameters, ...dialect.parameters }),
      description: {
        summary: route.summary ?? equivalent,
        tags: ['Dialects'],
        params: z.object(Object.fromEntries(inPath)),
        responses: { ...errorsOf(dialect), 200: body },
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

/** Makes the body of any path of the dialects. */
export const makeDialect: MakeFromRates<RatesInput<Layout>> = async (input, view, context) => {
  const { path, ...asked } = input.layout;
  const found = ROUTES.get(path);
  if (!found) throw new Error(`no dialect has the path ${path}`);
  const { wanted, body } = found.route.answer({ ...asked, today: fromDayNumber(input.today) });
  const content = contentOf(found.dialect, await body(createRatesReader(view, context)), asked);
  if ('from' in wanted) return content;
  // The same header as in `/v2`: the day of the newest observation, or the requested day if that is earlier.
  const day = asOfDay(requestFor(wanted, context.clock).when, await view.newestDay(context));
  return day === undefined ? content : { ...content, headers: ['x-rates-as-of', fromDayNumber(day)] };
};

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

/** How dialects write errors, except those that write them as all other routes do. */
export const dialectErrorForms: ErrorForms = new Map(
  dialects.flatMap((dialect) => {
    const { errorBody, parameters = {} } = dialect;
    if (!errorBody) return [];
    const names = Object.keys(parameters);
    const form: ErrorForm = (error, { url }) => ({
      content: contentOf(dialect, errorBody(error), { query: queryOf(url, names), params: {} }),
    });
    return [[segmentOf(dialect), form]];
  }),
);

function errorsOf({ errors, errorBody }: Dialect): RouteDescription['responses'] {
  const all = [...errors, new HttpError(429, TOO_MANY[429]), new HttpError(503, LOADING)];
  if (!errorBody) return errorResponses(Object.fromEntries(all.map((one) => [one.status, one.message])));
  return Object.fromEntries(all.map((one) => [one.status, responseOf(one.message, errorBody(one))]));
}

/** Some services send errors with the status 200. */
function errorWithSuccess({ errors, errorBody }: Dialect): object | undefined {
  const error = errors.find(({ status }) => status === 200);
  return error && errorBody?.(error);
}

function responseOf(description: string, example: object, schema?: z.ZodType, error?: object) {
  if (!(example instanceof FileBody)) {
    const form = schema ?? schemaOf(example);
    return jsonResponse(description, error ? z.union([form, schemaOf(error)]) : form, example);
  }
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
  const last = new Map(new URLSearchParams(target.slice(pathOf(target).length)));
  return Object.fromEntries(names.map((name) => [name, last.get(name)?.trim() || undefined]));
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
  const members = Object.entries(example ?? {}).filter(([, value]) => value !== undefined);
  const [[name, value] = ['', undefined]] = members;
  if (NAMES.test(name)) return z.record(z.string(), schemaOf(value));
  return z.object(Object.fromEntries(members.map(([name, value]) => [name, schemaOf(value)])));
}

/** Services that need a key accept it in these places. */
export const clientKeys: ClientKeys = {
  targets: new RegExp(`^/(?:${dialects.map(segmentOf).join('|')})(?=[/?])`, 'i'),
  inPath: /^(\/er\/v6\/)(?!latest\/)[^/?]+(?=\/)/i,
  parameters: new Set(['app_id', 'access_key', 'apikey', 'api_key']),
};

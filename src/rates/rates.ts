import { text } from 'node:stream/consumers';
import type * as z from 'zod';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { type CalendarDate, dayNumber } from '../../core/domain/dates.js';
import type { MakeContent } from '../http/dispatcher.js';
import { isStream, type Task } from '../http/reply.js';
import type { RequestContext } from '../http/route.js';
import { check } from '../parameters/query.js';
import { askConversion } from './convert/convert.js';
import { conversionQuery } from './convert/parameters.js';
import type { rowSchema } from './encoding/row-schema.js';
import { type AskDependencies, createAsk, requireSnapshot } from './engine/ask.js';
import { askRows } from './engine/make-rows.js';
import { ratesQuery } from './engine/parameters.js';
import { requireLoaded } from './engine/rates-view.js';
import { resolveRequest } from './engine/request.js';
import type { Conversion } from './lines/converted-lines.js';
import type { RuleDependencies } from './rules/by-rule.js';

type Parameters = Readonly<Record<string, string>>;

type Row = z.output<typeof rowSchema>;
/** A row that was not removed. */
type RateRecord = Pick<Row, 'date' | 'base' | 'quote'> & { rate: number; stats?: NonNullable<Row['stats']> };

export interface RatesDependencies extends AskDependencies, RuleDependencies {
  makeContent: MakeContent;
}

const JSON_ROWS = { format: 'json', single: false, header: true } as const;

export type Rates = ReturnType<typeof createRates>;

/** Requests for rates, from routes and from other code. The methods throw the HttpErrors that a client would get. */
export function createRates(dependencies: RatesDependencies) {
  const { clock, makeContent } = dependencies;
  const ask = createAsk(dependencies);

  async function valuesOf<Value>(asked: Task | Promise<Task>, context: RequestContext): Promise<Value> {
    const { body } = await makeContent(await asked, context);
    return JSON.parse(isStream(body) ? await text(body) : String(body));
  }

  return {
    /** Throws an HttpError 503 if suspects from a date on, by default all, are needed, and not all are found yet. */
    requireSuspects(from?: CalendarDate): void {
      // Rates of the days before decide which are suspect.
      const first = from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(from) - WINDOW_DAYS;
      requireLoaded(requireSnapshot(dependencies.snapshot), first);
    },
    ask,
    /** Returns a few rows as values, by the parameters of `/v2/rates`. */
    rows: async (parameters: Parameters, context: RequestContext): Promise<RateRecord[]> =>
      valuesOf(askRows(ask, resolveRequest(check(ratesQuery, parameters), clock), JSON_ROWS), context),
    /** Converts an amount, by the parameters of `/v2/convert`. */
    async convert(
      pair: { base: string; quote: string },
      parameters: Parameters,
      context: RequestContext,
    ): Promise<Conversion> {
      const query = check(conversionQuery, parameters);
      return valuesOf(askConversion(ask, dependencies, { ...pair, query, format: 'json' }), context);
    },
  };
}

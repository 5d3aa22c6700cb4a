import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import type { Clock } from '../../core/domain/clock.js';
import { type CalendarDate, dayNumber } from '../../core/domain/dates.js';
import type { MakeContent } from '../http/dispatcher.js';
import type { Task } from '../http/reply.js';
import type { RequestContext } from '../http/route.js';
import { check } from '../parameters/query.js';
import { openAskConversion } from './convert/ask-conversion.js';
import { type AskDependencies, createAsk, requireSnapshot } from './engine/ask.js';
import { askRows } from './engine/make-rows.js';
import { conversionQuery, ratesQuery } from './engine/parameters.js';
import { requireLoaded } from './engine/rates-view.js';
import { resolveRequest } from './engine/request.js';
import type { Conversion } from './lines/converted-lines.js';
import type { RuleDependencies } from './rules/ask-by-rule.js';

type Parameters = Readonly<Record<string, string>>;

interface RateRecord {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
  stats?: {
    first: number | null;
    last: number | null;
    last_date: CalendarDate | null;
    low: number | null;
    high: number | null;
  };
}

export interface RatesDependencies extends AskDependencies, RuleDependencies {
  clock: Clock;
  makeContent: MakeContent;
}

const JSON_ROWS = { format: 'json', single: false, header: true } as const;

export type Rates = ReturnType<typeof createRates>;

/** Requests for rates, from routes and from other code. The methods throw the HttpErrors that a client would get. */
export function createRates(dependencies: RatesDependencies) {
  const { clock, makeContent } = dependencies;
  const ask = createAsk(dependencies);
  const askConversion = openAskConversion(ask, dependencies);

  async function valuesOf<Value>(asked: Task | Promise<Task>, context: RequestContext): Promise<Value> {
    const { body } = await makeContent(await asked, context);
    if (typeof body === 'string' || Buffer.isBuffer(body)) return JSON.parse(String(body));
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk));
    return JSON.parse(String(Buffer.concat(chunks)));
  }

  return {
    /** Throws an HttpError 503 if suspects from a date on, by default all, are needed, and not all are found yet. */
    requireSuspects(from?: CalendarDate): void {
      // Rates of the days before decide which are suspect.
      const first = from === undefined ? Number.NEGATIVE_INFINITY : dayNumber(from) - WINDOW_DAYS;
      requireLoaded(requireSnapshot(dependencies.snapshot), first);
    },
    ask,
    askConversion,
    /** Returns a few rows as values, by the parameters of `/v2/rates`. */
    rows: async (parameters: Parameters, context: RequestContext): Promise<RateRecord[]> =>
      valuesOf(askRows(ask, resolveRequest(check(ratesQuery, parameters), clock), JSON_ROWS), context),
    /** Converts an amount, by the parameters of `/v2/convert`. */
    convert: async (
      pair: { base: string; quote: string },
      parameters: Parameters,
      context: RequestContext,
    ): Promise<Conversion> =>
      valuesOf(askConversion(pair, check(conversionQuery, parameters), 'json'), context),
  };
}

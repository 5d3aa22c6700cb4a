import { type Clock, todayNumber } from '../../../core/domain/clock.js';
import { type CalendarDate, fromDayNumber } from '../../../core/domain/dates.js';
import { check } from '../../http/query.js';
import type { Conversion } from '../convert/converted-lines.js';
import type { Stats } from '../snapshot/row.js';
import type { Reader } from '../sources/raw-store.js';
import { type Answer, type AnswerDependencies, createAnswer } from './answer.js';
import { conversionOf } from './conversions.js';
import { type Knowledge, knowledgeFor } from './knowledge.js';
import { rowSourceOf } from './minor-units.js';
import { findRate } from './pair-rate.js';
import { conversionQuery, ratesQuery } from './parameters.js';
import { type ResolvedRequest, resolveRequest } from './request.js';
import {
  type AnswerRows,
  createAnswerRows,
  type RowsDependencies,
  rowsByDate,
  shownRate,
} from './rows-answer.js';
import { withSnapshot } from './with-snapshot.js';

/** The parameters of a request, as a client writes them. */
type Parameters = Readonly<Record<string, string>>;

/** A row of `/v2/rates`; of what `expand` adds, it has statistics alone. */
interface RateRecord {
  date: CalendarDate;
  base: string;
  quote: string;
  rate: number;
  stats?: StatsRecord;
}

interface StatsRecord {
  first: number | null;
  last: number | null;
  last_date: CalendarDate | null;
  low: number | null;
  high: number | null;
}

/** What is asked of rates, whoever asks. The methods throw the HttpErrors that a client would get. */
export interface Rates {
  /** Answers a question of a route. */
  answer: Answer;
  /** Answers a request for rows. */
  answerRows: AnswerRows;
  /** Few rows as values, by the parameters of `/v2/rates`. */
  rows(parameters: Parameters, reader: Reader): Promise<RateRecord[]>;
  /** An amount in another currency, by those of `/v2/convert`. */
  convert(pair: { base: string; quote: string }, parameters: Parameters, reader: Reader): Promise<Conversion>;
}

/** Throws an HttpError for a request that can't be answered here. */
export type RefuseRequest = (request: ResolvedRequest) => void;

export type RatesDependencies = AnswerDependencies &
  RowsDependencies & { clock: Clock; refuseRequest?: RefuseRequest | undefined };

export function createRates(dependencies: RatesDependencies): Rates {
  const { snapshot: holder, clock, refuseRequest = () => {} } = dependencies;
  const answerAny = createAnswer(dependencies);
  const answer: Answer = (question, options) => {
    refuseRequest(question.request);
    return answerAny(question, options);
  };

  function knowing<T>(request: ResolvedRequest, work: (knowledge: Knowledge) => Promise<T>): Promise<T> {
    refuseRequest(request);
    const today = todayNumber(clock);
    return withSnapshot(holder, async (current) =>
      work(await knowledgeFor(dependencies, request, { current, today })),
    );
  }

  return {
    answer,
    answerRows: createAnswerRows(answer, dependencies),
    async rows(parameters, reader) {
      const request = resolveRequest(check(ratesQuery, parameters), clock);
      const { base, precision } = request;
      const dates = await knowing(request, async (knowledge) =>
        rowsByDate(await rowSourceOf(knowledge, request).rows(request, reader)),
      );
      return dates.flatMap(({ day, rows }) => {
        const date = fromDayNumber(day);
        return rows.map((row) => ({
          date,
          base,
          quote: row.quote,
          rate: shownRate(row, precision),
          ...(row.stats && { stats: statsRecord(row.stats) }),
        }));
      });
    },
    async convert({ base, quote }, parameters, reader) {
      const query = check(conversionQuery, parameters);
      const request = resolveRequest({ ...query, base, quotes: [quote] }, clock);
      const { picked, found } = await knowing(request, (knowledge) => findRate(request, knowledge, reader));
      return conversionOf({ amount: query.amount, base, quote }, picked.day, found);
    },
  };
}

function statsRecord(stats: Stats): StatsRecord {
  if (!('first' in stats)) return { first: null, last: null, last_date: null, low: null, high: null };
  const { first, last, lastDay, low, high } = stats;
  return { first, last, last_date: fromDayNumber(lastDay), low, high };
}

import {
  addDays,
  type CalendarDate,
  type Clock,
  earlier,
  later,
  today as todayOf,
} from '../../core/domain/dates.js';
import { groupBy } from '../../core/domain/group-by.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { readingAt } from '../catalogue/reading.js';
import type { DescribedCurrency, ListedCurrency, ListedProvider } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import type { ApiDocument } from '../openapi/document.js';
import type { ReadActivity } from './activity.js';
import {
  FIRST_DAY,
  type Pair,
  type Parameters,
  type SeriesRequest,
  seriesParameters,
} from './shared/requests.js';
import type { RateRow } from './shared/rows.js';

export interface Conversion extends Pair {
  amount: string;
  /** The date of the rate. */
  observed: string;
  /** The days of a mean, which the request names. */
  mean?: { from: string; to: string };
  rate: number;
  /** Rounded to the minor units of the quote; exact for metals and units of account. */
  result: string;
  /** By ended currency: its fixed number of units for one `base`, and the law that fixed it. */
  fixed?: Readonly<Record<string, { base: string; rate: number; regulation: string }>> | undefined;
}

/** Each method fails with the HttpError that a client of the API would get. */
export type PageData = ReturnType<typeof createPageData>;

/** In days, long enough that a currency published weekly has two rows. */
const MONTH = 31;

export interface PageSources {
  rates: {
    rows(parameters: Parameters, reader: RequestContext): Promise<RateRow[]>;
    /** By the parameters of `/v2/convert`: an amount, and a day or a rule. */
    convert(pair: Pair, parameters: Parameters, reader: RequestContext): Promise<Conversion>;
  };
  currencies: {
    /** Only those in use. */
    currencies(): readonly ListedCurrency[];
    allCurrencies(): readonly ListedCurrency[];
    currency(code: string): DescribedCurrency | undefined;
  };
  listProviders(): readonly ListedProvider[];
  catalogue: Pick<CatalogueHolder, 'current' | 'confirmedAt'>;
  activity: ReadActivity;
  clock: Clock;
  describeApi: () => ApiDocument;
}

export function createPageData(sources: PageSources) {
  const { rates, currencies, listProviders, catalogue, activity, clock, describeApi } = sources;
  const today = () => todayOf(clock);
  /** Tomorrow at the latest. */
  const newest = (): CalendarDate => {
    const tomorrow = addDays(today(), 1);
    return earlier(requireCatalogue(catalogue).newest ?? tomorrow, tomorrow);
  };
  return {
    today,
    now: clock,
    hasRates: () => requireCatalogue(catalogue).newest !== undefined,
    newest,
    ...currencies,
    /** The first and the last day on which both currencies have rates. */
    daysOf({ base, quote }: Pair): [first: CalendarDate, last: CalendarDate] {
      const pair = [base, quote].map((code) => currencies.currency(code));
      const starts = pair.map((one) => one?.start_date ?? FIRST_DAY);
      return [starts.reduce(later), pair.map((one) => one?.end_date ?? newest()).reduce(earlier, newest())];
    },
    providers: listProviders,
    activity: () => activity(today()),
    lastErrorOf: (key: string) => catalogue.current()?.providers.get(key)?.lastError ?? null,
    reading: () => readingAt(catalogue, clock()),
    describeApi,
    ...rates,
    /** Weeks and months have statistics. Without the sources: they are larger than the page, and the script reads them. */
    async series(request: SeriesRequest, context: RequestContext): Promise<RateRow[]> {
      return rates.rows({ ...seriesParameters(request, 'stats'), to: request.newest }, context);
    },
    /** By quote, oldest first: of all quotes and providers, if none are named. */
    async month(
      { newest, ...named }: { base: string; newest: CalendarDate; quotes?: string; providers?: string },
      context: RequestContext,
    ): Promise<Map<string, RateRow[]>> {
      const parameters = { ...named, from: addDays(newest, -MONTH), to: newest, precision: 'full' };
      return groupBy(await rates.rows(parameters, context), ({ quote }) => quote);
    },
  };
}

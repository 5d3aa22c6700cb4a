import { type Clock, today as todayOf } from '../../core/domain/clock.js';
import { addDays, type CalendarDate, earlier } from '../../core/domain/dates.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { type Reading, readingAt } from '../catalogue/reading.js';
import type { DescribedCurrency, ListedCurrency, ListedProvider } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import {
  type ConversionRequest,
  type MonthRequest,
  monthParameters,
  type Parameters,
  type SeriesRequest,
  seriesParameters,
} from './shared/requests.js';
import type { Conversion } from './shared/result.js';
import type { RateRow } from './shared/rows.js';

/** What pages show. Each throws the HttpError that a client of the API would get. */
export interface PageData {
  /** The newest day that counts for the newest rates: tomorrow at the latest. */
  newest(): CalendarDate;
  today(): CalendarDate;
  /** Those in use. */
  currencies(): readonly ListedCurrency[];
  /** Those of the past too. */
  allCurrencies(): readonly ListedCurrency[];
  /** Everything about a currency; undefined where there is none of that code. */
  currency(code: string): DescribedCurrency | undefined;
  providers(): readonly ListedProvider[];
  /** Whether sources are read at present. */
  reading(): Reading;
  convert(request: ConversionRequest, context: RequestContext): Promise<Conversion>;
  /** A conversion by the parameters of `/v2/convert`, such as at the rate that a rule wants. */
  convertPair: ConvertPair;
  /** Rows of a pair over a span, those of weeks and months with their statistics; without the sources behind them. */
  series(request: SeriesRequest, context: RequestContext): Promise<RateRow[]>;
  /** The rows that `/v2/rates` answers. */
  rates(parameters: Parameters, context: RequestContext): Promise<RateRow[]>;
  /** For each quote of a base its rows in the last month, oldest first. */
  month(request: MonthRequest, context: RequestContext): Promise<Map<string, RateRow[]>>;
}

type ConvertPair = (
  pair: { base: string; quote: string },
  parameters: Parameters,
  reader: RequestContext,
) => Promise<Conversion>;

/** What the pages ask the other parts of the service. */
export interface PageSources {
  rates: {
    rows(parameters: Parameters, reader: RequestContext): Promise<RateRow[]>;
    convert: ConvertPair;
  };
  currencies: Pick<PageData, 'currencies' | 'allCurrencies' | 'currency'>;
  listProviders: PageData['providers'];
}

interface Dependencies extends PageSources {
  catalogue: Pick<CatalogueHolder, 'current' | 'confirmedAt'>;
  clock: Clock;
}

export function createPageData({
  rates,
  currencies,
  listProviders,
  catalogue,
  clock,
}: Dependencies): PageData {
  const today = () => todayOf(clock);
  return {
    today,
    newest() {
      const tomorrow = addDays(today(), 1);
      return earlier(requireCatalogue(catalogue).newest ?? tomorrow, tomorrow);
    },
    ...currencies,
    providers: listProviders,
    reading: () => readingAt(catalogue, clock()),
    convert: ({ amount, base, quote, date }, context) =>
      rates.convert({ base, quote }, { amount, ...(date && { date }) }, context),
    convertPair: rates.convert,
    series(request, context) {
      // The sources are for the script to read: they take more than the page.
      return rates.rows({ ...seriesParameters(request, 'stats'), to: request.newest }, context);
    },
    rates: rates.rows,
    async month(request, context) {
      const byQuote = new Map<string, RateRow[]>();
      for (const row of await rates.rows({ ...monthParameters(request), precision: 'full' }, context)) {
        const known = byQuote.get(row.quote);
        if (known) known.push(row);
        else byQuote.set(row.quote, [row]);
      }
      return byQuote;
    },
  };
}

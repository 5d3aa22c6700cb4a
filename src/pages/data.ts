import { type Clock, today as todayOf } from '../../core/domain/clock.js';
import { addDays, type CalendarDate, earlier } from '../../core/domain/dates.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import type { RequestContext } from '../http/route.js';
import {
  type ConversionRequest,
  type MonthRequest,
  monthParameters,
  type Parameters,
  type SeriesRequest,
  seriesParameters,
} from './shared/requests.js';
import type { RateRow } from './shared/rows.js';

/** What pages show. Each throws the HttpError that a client of the API would get. */
export interface PageData {
  /** The newest day that counts for the newest rates: tomorrow at the latest. */
  newest(): CalendarDate;
  today(): CalendarDate;
  currencies(): readonly Currency[];
  /** Everything about a currency; undefined where there is none of that code. */
  currency(code: string): DescribedCurrency | undefined;
  providers(): readonly ListedProvider[];
  convert(request: ConversionRequest, context: RequestContext): Promise<Conversion>;
  /** Rows of a pair over a span, without the sources behind them. */
  series(request: SeriesRequest, context: RequestContext): Promise<RateRow[]>;
  /** For each quote of a base its rows in the last month, oldest first. */
  month(request: MonthRequest, context: RequestContext): Promise<Map<string, RateRow[]>>;
}

/** What the pages ask the other parts of the service. */
export interface PageSources {
  rates: {
    rows(parameters: Parameters, reader: RequestContext): Promise<RateRow[]>;
    convert(
      pair: { base: string; quote: string },
      parameters: Parameters,
      reader: RequestContext,
    ): Promise<Conversion>;
  };
  currencies: Pick<PageData, 'currencies' | 'currency'>;
  listProviders: PageData['providers'];
}

export interface Currency {
  iso_code: string;
  iso_numeric: string | null;
  name: string;
  symbol: string;
  start_date: CalendarDate;
  end_date: CalendarDate;
}

export interface DescribedCurrency extends Currency {
  providers: string[];
  peg?: { base: string; rate: number; authority: string; source: string };
}

export interface ListedProvider {
  key: string;
  name: string;
  country_code: string | null;
  rate_type: string | null;
  pivot_currency: string | null;
  data_url: string | null;
  terms_url: string | null;
  start_date: CalendarDate | null;
  end_date: CalendarDate | null;
  kind: 'observed' | 'official';
  blended: boolean;
  publish_cadence: string | null;
  next_publish_at: string | null;
  publishes_missed: number | null;
  currencies: string[];
  last_success_at: string | null;
  status: 'fresh' | 'late' | 'failing' | 'needs_key' | 'archive' | 'pending';
}

export interface Conversion {
  amount: string;
  base: string;
  quote: string;
  observed: CalendarDate;
  rate: number;
  result: string;
}

interface Dependencies extends PageSources {
  catalogue: Pick<CatalogueHolder, 'current'>;
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
    convert: ({ amount, base, quote, date }, context) =>
      rates.convert({ base, quote }, { amount, ...(date && { date }) }, context),
    series(request, context) {
      // The sources are for the script to read: they take more than the page.
      return rates.rows({ ...seriesParameters(request, 'rate'), to: request.newest }, context);
    },
    async month(request, context) {
      const byQuote = new Map<string, RateRow[]>();
      for (const row of await rates.rows(monthParameters(request), context)) {
        const known = byQuote.get(row.quote);
        if (known) known.push(row);
        else byQuote.set(row.quote, [row]);
      }
      return byQuote;
    },
  };
}

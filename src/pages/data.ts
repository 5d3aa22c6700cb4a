import { type Clock, today as todayOf } from '../../core/domain/clock.js';
import { addDays, type CalendarDate, earlier } from '../../core/domain/dates.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import type { RequestContext } from '../http/route.js';
import type { RouteCaller } from '../http/route-caller.js';
import { type MonthRequest, monthTarget, type SeriesRequest, seriesTarget } from './shared/requests.js';
import type { RateRow } from './shared/rows.js';

/** What pages show, read from the routes of this service. Each throws the HttpError that a client would get. */
export interface PageData {
  /** The newest day that counts for the newest rates: tomorrow at the latest. */
  newest(): CalendarDate;
  today(): CalendarDate;
  currencies(context: RequestContext): Promise<Currency[]>;
  /** Everything about a currency. */
  currency(code: string, context: RequestContext): Promise<DescribedCurrency>;
  providers(context: RequestContext): Promise<ListedProvider[]>;
  convert(target: string, context: RequestContext): Promise<Conversion>;
  /** Rows of a pair over a span, without the sources behind them. */
  series(request: SeriesRequest, context: RequestContext): Promise<RateRow[]>;
  /** For each quote of a base its rows in the last month, oldest first. */
  month(request: MonthRequest, context: RequestContext): Promise<Map<string, RateRow[]>>;
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

interface Dependencies {
  routes: RouteCaller;
  catalogue: Pick<CatalogueHolder, 'current'>;
  clock: Clock;
}

export function createPageData({ routes, catalogue, clock }: Dependencies): PageData {
  const get = <T>(target: string, context: RequestContext) => routes.getJson(target, context) as Promise<T>;
  const today = () => todayOf(clock);
  return {
    today,
    newest() {
      const tomorrow = addDays(today(), 1);
      return earlier(requireCatalogue(catalogue).newest ?? tomorrow, tomorrow);
    },
    currencies: (context) => get('/v2/currencies', context),
    currency: (code, context) => get(`/v2/currency/${code}`, context),
    providers: (context) => get('/v2/providers', context),
    convert: get,
    series(request, context) {
      // The sources are for the script to read: they take more than the page.
      return get(`${seriesTarget(request, 'rate')}&to=${request.newest}`, context);
    },
    async month(request, context) {
      const rows = await get<RateRow[]>(monthTarget(request), context);
      const byQuote = new Map<string, RateRow[]>();
      for (const row of rows) {
        const known = byQuote.get(row.quote);
        if (known) known.push(row);
        else byQuote.set(row.quote, [row]);
      }
      return byQuote;
    },
  };
}

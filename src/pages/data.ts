import { type Clock, today as todayOf } from '../../core/domain/clock.js';
import { addDays, type CalendarDate, earlier, later } from '../../core/domain/dates.js';
import { type CatalogueHolder, requireCatalogue } from '../catalogue/holder.js';
import { type Reading, readingAt } from '../catalogue/reading.js';
import type { DescribedCurrency, ListedCurrency, ListedProvider } from '../catalogue/schemas.js';
import type { RequestContext } from '../http/route.js';
import { FIRST_DAY, type Parameters, type SeriesRequest, seriesParameters } from './shared/requests.js';
import type { Conversion } from './shared/result.js';
import type { RateRow } from './shared/rows.js';

/** Each method fails with the HttpError that a client of the API would get. */
export interface PageData {
  hasRates(): boolean;
  /** Tomorrow at the latest. */
  newest(): CalendarDate;
  today(): CalendarDate;
  now(): Date;
  /** Only those in use. */
  currencies(): readonly ListedCurrency[];
  allCurrencies(): readonly ListedCurrency[];
  currency(code: string): DescribedCurrency | undefined;
  /** The first day on which both currencies have rates. */
  firstDay(pair: { base: string; quote: string }): CalendarDate;
  providers(): readonly ListedProvider[];
  reading(): Reading;
  /** By the parameters of `/v2/convert`: an amount, and a day or a rule. */
  convert: Convert;
  /** Without sources. Weeks and months have statistics. */
  series(request: SeriesRequest, context: RequestContext): Promise<RateRow[]>;
  rates(parameters: Parameters, context: RequestContext): Promise<RateRow[]>;
  /** By quote, oldest first. */
  month(request: MonthRequest, context: RequestContext): Promise<Map<string, RateRow[]>>;
}

interface MonthRequest {
  base: string;
  newest: CalendarDate;
  provider?: string;
}

/** In days, long enough that a currency published weekly has two rows. */
const MONTH = 31;

type Convert = (
  pair: { base: string; quote: string },
  parameters: Parameters,
  reader: RequestContext,
) => Promise<Conversion>;

export interface PageSources {
  rates: {
    rows(parameters: Parameters, reader: RequestContext): Promise<RateRow[]>;
    convert: Convert;
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
    now: clock,
    hasRates: () => requireCatalogue(catalogue).newest !== undefined,
    newest() {
      const tomorrow = addDays(today(), 1);
      return earlier(requireCatalogue(catalogue).newest ?? tomorrow, tomorrow);
    },
    ...currencies,
    firstDay({ base, quote }) {
      const starts = [base, quote].map((code) => currencies.currency(code)?.start_date ?? FIRST_DAY);
      return starts.reduce(later);
    },
    providers: listProviders,
    reading: () => readingAt(catalogue, clock()),
    convert: rates.convert,
    // Without the sources: they are larger than the page, and the script reads them.
    async series(request, context) {
      return rates.rows({ ...seriesParameters(request, 'stats'), to: request.newest }, context);
    },
    rates: rates.rows,
    async month({ base, newest, provider }, context) {
      const days = { from: addDays(newest, -MONTH), to: newest };
      const parameters = { base, ...days, ...(provider && { providers: provider }), precision: 'full' };
      const byQuote = new Map<string, RateRow[]>();
      for (const row of await rates.rows(parameters, context)) {
        const known = byQuote.get(row.quote);
        if (known) known.push(row);
        else byQuote.set(row.quote, [row]);
      }
      return byQuote;
    },
  };
}

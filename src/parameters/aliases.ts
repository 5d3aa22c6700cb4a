/** A word may be in several rows, which are tried in order. */
type Words = Readonly<Record<string, string>>;

/** The names of the parameters here at other services, with the value to use if theirs has no meaning here. */
export const PARAMETER_ALIASES: Words = {
  base: 'base_currency basecurrency source source_currency from from_currency',
  quotes: 'currency currencies quote symbol symbols target target_currency targets to to_currency',
  providers: 'bank banks key source sources',
  date: 'day on',
  from: 'date_from start start_at start_date startdate',
  to: 'date_to end end_at end_date enddate',
  since: 'date_from start start_at start_date startdate',
  until: 'date_to end end_at end_date enddate',
  group: 'frequency group_by interval period',
  expand: 'include',
  amount: 'value',
  'precision=full': 'decimals places round',
  'scope=all': 'all show_inactive',
};

/** What to do instead of using parameters without an equivalent, on the routes that have the parameter `on`. */
export const ADVICE: readonly { names: string; on?: string; advice: string }[] = [
  { names: 'access_key api_key apikey app_id appid token', advice: 'no key is needed: leave it out' },
  {
    names: 'limit offset page per_page size top',
    on: 'group',
    advice: 'there are no pages: name fewer currencies with quotes, or fewer days with from and to',
  },
  { names: 'format', on: 'header', advice: 'use the header accept, such as accept: text/csv' },
  { names: 'amount', on: 'group', advice: 'use /v2/convert, such as /v2/convert/EUR/USD?amount=1' },
  { names: 'fill group', on: 'rule', advice: 'use /v2/rates, such as /v2/rates?from=2026-01-01' },
];

/** Everyday names of currencies that their names in the register do not identify. */
export const CURRENCY_ALIASES: Words = {
  USD: '$ DOLLAR DOLLARS',
  EUR: '€ EURO EUROS',
  GBP: '£ POUND POUNDS STERLING STG UKP',
  JPY: '¥',
  INR: '₹ RUPEE',
  CHF: 'FRANC',
  CNY: 'RMB',
};

export const CRYPTOCURRENCIES = 'ADA BNB BTC DOGE DOT ETH LTC SOL TRX USDC USDT XBT XMR XRP'.split(' ');

/** The paths here for paths of other services, by their first segment after a version. */
export const PATH_ALIASES: Words = {
  '/v2/rates':
    'latest live spot current historical history rate rates range timeseries time-series timeframe',
  '/v2/rates?from=2026-01-01&group=range&expand=stats': 'change fluctuation ohlc',
  '/v2/rate/EUR/USD': 'pair',
  '/v2/convert/EUR/USD?amount=1': 'convert converter',
  '/v2/currencies': 'codes currency currencies list supported_codes symbols',
  '/v2/providers': 'banks sources',
  '/openapi.json': 'api-docs openapi schema swagger',
  '/docs': 'documentation help reference',
  '/health/live': 'health healthz livez ping',
  '/health/ready': 'readyz',
};

/** In the order of the table. */
export function oursFor(word: string, table: Words): string[] {
  return Object.keys(table).filter((ours) => table[ours]?.split(' ').includes(word));
}

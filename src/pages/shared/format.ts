import { displayDecimals, plainDecimal, roundForDisplay } from '../../../core/domain/rounding.js';

/** Dates are calendar dates; instants are shown in UTC. */
export type Formats = ReturnType<typeof createFormats>;

/** A language, and possibly a script, a region and a variant. */
const LOCALE = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-[a-z\d]{5,8})?$/i;

export function isSupportedLocale(locale: string): boolean {
  return LOCALE.test(locale) && Intl.NumberFormat.supportedLocalesOf([locale]).length > 0;
}

/** The decimals of a number such as "1.250". */
export const fractionOf = (decimal: string) => decimal.split('.')[1] ?? '';

/** A number stays on the line of what it numbers, as in "Art. 21.3" and "No 2866/98". */
export const unbroken = (text: string) => text.replaceAll(/(?<=[.§]|No) (?=\d)/g, '\u00a0');

/** Up to 20, as many as every browser can format. */
const decimalsOf = (text: string) => Math.min(20, fractionOf(text).length);

/** With the digits and the calendar of the requests and responses on the same page, which Arabic may replace. */
export function withPlainFigures(locale: string): Intl.Locale {
  return new Intl.Locale(locale, { numberingSystem: 'latn', calendar: 'gregory' });
}

export function createFormats(locale: string) {
  const plain = withPlainFigures(locale);
  return { ...numberFormats(plain), ...dateFormats(plain), ...namesIn(locale) };
}

/** Of countries and currencies. */
export function namesIn(locale: string) {
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const currencies = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'none' });
  return {
    /** By ISO 3166-1 code. */
    country: (code: string) => countries.of(code) ?? code,
    /** By ISO 4217 code; undefined if the platform has no name in this language. */
    currency: (code: string): string | undefined => currencies.of(code),
  };
}

function numberFormats(locale: Intl.Locale) {
  const byDecimals = new Map<number, Intl.NumberFormat>();
  const withDecimals = (decimals: number) => {
    const limits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const format = byDecimals.get(decimals) ?? new Intl.NumberFormat(locale, limits);
    byDecimals.set(decimals, format);
    return format;
  };
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
  const hundredths = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
  const distances = new Intl.NumberFormat(locale, hundredths);
  const changes = new Intl.NumberFormat(locale, { ...hundredths, signDisplay: 'exceptZero' });
  const largeChanges = new Intl.NumberFormat(locale, { style: 'percent', signDisplay: 'exceptZero' });
  const small = new Intl.NumberFormat(locale, { maximumSignificantDigits: 5 });
  const shown = (rate: number) => {
    const decimals = displayDecimals(rate);
    if (decimals === undefined) return small.format(rate);
    return withDecimals(Math.max(decimals, decimalsOf(plainDecimal(rate)))).format(rate);
  };
  return {
    /** Rounded as the API rounds a rate of its size. */
    rate: (figure: number) => shown(roundForDisplay(figure)),
    /** With all digits, and with as many decimals as rates of its size have. */
    shown,
    /** With its own decimals, such as "1442.13" or "1e-9". */
    decimal(text: string) {
      const plain = text.includes('e') ? plainDecimal(Number(text)) : text;
      // A string is formatted exactly; a number would not be beyond sixteen digits.
      return withDecimals(decimalsOf(plain)).format(plain as `${number}`);
    },
    /** 0.0123 as "1.2%". */
    percent: (share: number) => percents.format(share),
    /** 0.0123 as "1.23%". */
    distance: (share: number) => distances.format(share),
    /** 0.0123 as "+1.23%", 12.3 as "+1,230%", with a minus sign that is as wide as the plus sign. */
    change: (share: number) => (share < 10 ? changes : largeChanges).format(share).replace('-', '−'),
    count: (count: number) => withDecimals(0).format(count),
  };
}

function dateFormats(locale: Intl.Locale) {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    // A date is not broken between lines.
    return (date: string) => format.format(new Date(date)).replaceAll(' ', '\u00a0');
  };
  const day = { day: 'numeric', month: 'short' } as const;
  const instants = dates({ ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    /** "20 March 2026" */
    date: dates({ day: 'numeric', month: 'long', year: 'numeric' }),
    /** "20 Mar 2026" */
    shortDate: dates({ ...day, year: 'numeric' }),
    /** "20 Mar" */
    day: dates(day),
    /** "Mar 2026" */
    month: dates({ month: 'short', year: 'numeric' }),
    /** "2026" */
    year: dates({ year: 'numeric' }),
    /** "20 Mar, 14:00 UTC" */
    instant: (iso: string) => `${instants(iso)} UTC`,
    /** "222 days ago", "today" */
    daysAgo: (days: number) => relative.format(-days, 'day'),
    /** "2 hours ago", "in 5 minutes", for milliseconds before or after now; from two days on in days. */
    away(ms: number) {
      const minutes = Math.round(ms / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      const hours = Math.round(minutes / 60);
      return Math.abs(hours) < 48
        ? relative.format(hours, 'hour')
        : relative.format(Math.round(hours / 24), 'day');
    },
  };
}

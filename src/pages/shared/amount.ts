import type { Say } from './messages.js';

/** The digit zero in other scripts: Arabic-Indic, Persian and full-width. */
const ZEROS = ['٠', '۰', '０'];
/** Characters to ignore: spaces, apostrophes, the Arabic thousands separator, marks of direction. */
const IGNORED = /[\s'’_٬\u061c\u200e\u200f]/gu;
/** In characters, of a text that is not a number. */
const LONGEST_SHOWN = 40;
const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}$/;

/**
 * Converts a typed amount to the form that the API accepts: with a decimal point, and without thousands separators.
 * Undefined if it is not a number. The locale decides the meaning of a single separator before three digits, as in 1.250.
 * Unfinished numbers, such as `5.` and `.5`, are accepted.
 */
export function amountIn(text: string, locale: string): string | undefined {
  const plain = withPlainDigits(text.replaceAll(IGNORED, '')).replace('−', '-');
  const [, sign = '', body] = /^([+-]?)([\d.,٫]*\d[\d.,٫]*)$/.exec(plain) ?? [];
  if (body === undefined) return undefined;
  const decimal = decimalSeparatorOf(body, locale);
  const parts = decimal === undefined ? [body] : body.split(decimal);
  const [whole = '', fraction = ''] = parts;
  if (parts.length > 2 || /\D/.test(fraction)) return undefined;
  const grouped = whole.replaceAll('.', ',');
  if (/\D/.test(whole) && (!GROUPED.test(grouped) || new Set(whole.replaceAll(/\d/g, '')).size > 1))
    return undefined;
  return `${sign === '-' ? '-' : ''}${grouped.replaceAll(',', '') || '0'}${fraction && `.${fraction}`}`;
}

/** Writes an amount of the API so that every language reads it alike: 1.250 could mean thousands, 1.2500 can't. */
export function portable(amount: string): string {
  return couldBeThousands(amount.replace('-', ''), '.') ? `${amount}0` : amount;
}

/** Explains why a typed amount is not a number. */
export function amountProblem(typed: string, say: Say): string {
  const text = typed.trim();
  return text === ''
    ? say('converter.noAmount')
    : say('converter.noNumber', { typed: text.slice(0, LONGEST_SHOWN) });
}

/** The decimal separator in a text of digits and separators, if it has one. */
function decimalSeparatorOf(body: string, locale: string): string | undefined {
  if (body.includes('٫')) return '٫';
  const last = body.match(/[.,]/g)?.at(-1);
  if (last === undefined) return undefined;
  const isAlone = body.indexOf(last) === body.lastIndexOf(last);
  // A separator that occurs more than once separates thousands.
  if (!isAlone) return undefined;
  return couldBeThousands(body, last) && last !== decimalSignOf(locale) ? undefined : last;
}

/** Whether the only separator in a number may separate thousands, as in 1.250. */
function couldBeThousands(body: string, separator: string): boolean {
  return new RegExp(`^[1-9]\\d{0,2}\\${separator}\\d{3}$`).test(body);
}

/** The decimal separator of a locale: a comma, or else a point. */
function decimalSignOf(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.';
}

function withPlainDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹０-９]/gu, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.map((one) => one.charCodeAt(0)).findLast((one) => one <= code) ?? code;
    return String(code - zero);
  });
}

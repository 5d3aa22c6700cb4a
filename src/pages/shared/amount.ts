import type { Writing } from './messages.js';

/** Spaces, apostrophes, the Arabic thousands separator, marks of direction. */
const IGNORED = /[\s'’_٬\u061c\u200e\u200f]/gu;
/** In characters, of a text that is not a number. */
const LONGEST_SHOWN = 40;
const GROUPED = /^\d{1,3}(?:,\d{2,3})*,\d{3}$/;

/**
 * In the form of the API; undefined if not a number. Accepts `5.` and `.5`. The locale decides what 1.250 and 1,250 mean.
 * In an address, without a locale, they are 1.25 and 1250 for every reader.
 */
export function amountIn(text: string, locale = 'en'): string | undefined {
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

export function amountProblem(typed: string, { formats, say }: Writing): string {
  const text = typed.trim().slice(0, LONGEST_SHOWN);
  const example = say('converter.noAmount', { example: formats.decimal('1250.50') });
  return text === '' ? example : `${say('converter.noNumber', { typed: text })} ${example}`;
}

function decimalSeparatorOf(body: string, locale: string): string | undefined {
  if (body.includes('٫')) return '٫';
  const last = body.match(/[.,]/g)?.at(-1);
  if (last === undefined) return undefined;
  // A separator that occurs more than once separates thousands.
  if (body.indexOf(last) !== body.lastIndexOf(last)) return undefined;
  const decimalSign = (1.5).toLocaleString(locale).includes(',') ? ',' : '.';
  const couldBeThousands = /^[1-9]\d{0,2}[.,]\d{3}$/.test(body);
  return couldBeThousands && last !== decimalSign ? undefined : last;
}

/** Arabic-Indic, Persian and full-width digits. Unicode places their zeros at multiples of sixteen. */
function withPlainDigits(text: string): string {
  return text.replaceAll(/[٠-٩۰-۹０-９]/gu, (digit) => String(digit.charCodeAt(0) % 16));
}

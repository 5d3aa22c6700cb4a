import { FeedError } from '../feed.js';

/** Which character stands before the decimals. The other one, spaces and apostrophes may group thousands. */
export type DecimalMark = '.' | ',';

const FORMS: Readonly<Record<DecimalMark, RegExp>> = {
  // Groups of two occur in India, but the last one has three: "458,38" is another bank's decimal comma.
  '.': /^[+-]?(\d+|\d{1,3}([,' ’]\d{2,3})*[,' ’]\d{3})?(\.\d*)?([eE][+-]?\d+)?$/,
  ',': /^[+-]?(\d+|\d{1,3}([.' ’]\d{2,3})*[.' ’]\d{3})?(,\d*)?([eE][+-]?\d+)?$/,
};
/** "1,085" is a thousand, or one and a bit where a bank has changed its decimal mark: only decimals tell. */
const AMBIGUOUS: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^[+-]?\d{1,3},\d{3}$/,
  ',': /^[+-]?\d{1,3}\.\d{3}$/,
};

/**
 * The number that a printed text means. Throws a FeedError where it is none: a changed layout must not become a
 * rate. White space of any kind around it, and within it between thousands, is allowed.
 */
export function numberOf(value: string | number | null | undefined, mark: DecimalMark = '.'): number {
  if (value === undefined || value === null) throw new FeedError('no number where one is expected');
  if (typeof value === 'number') return value;
  const text = value.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
  const digits = FORMS[mark].test(text) && /^[^eE]*\d/.test(text) && !AMBIGUOUS[mark].test(text);
  if (!digits) throw new FeedError(`not a number: ${JSON.stringify(value.slice(0, 40))}`);
  const grouping = mark === '.' ? /[,' ’]/g : /[.' ’]/g;
  return Number(text.replace(grouping, '').replace(',', '.'));
}

/**
 * The number, or undefined where the source says that it has none: null, blank, or one of the marks it prints
 * instead, such as `ND`. Throws a FeedError on anything else that is no number, and where there is no such field.
 */
export function numberOrMissing(
  value: string | number | null | undefined,
  mark: DecimalMark = '.',
  missing: readonly string[] = [],
): number | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') {
    const text = value.trim();
    if (text === '' || missing.includes(text)) return undefined;
  }
  return numberOf(value, mark);
}

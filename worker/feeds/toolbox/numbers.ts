import { FeedError } from '../feed.js';

/** The decimal separator. The other character, spaces and apostrophes may group thousands. */
export type DecimalMark = '.' | ',';

/** Groups of two digits occur in India, but the last group has three: "458,38" is another bank's decimal comma. */
const FORM = /^[+-]?(\d+|\d{1,3}([,' ’]\d{2,3})*[,' ’]\d{3})?(\.\d*)?([eE][+-]?\d+)?$/;
/** "1,085" is ambiguous: a thousand, or slightly more than one, if a bank has changed its separator. */
const AMBIGUOUS = /^[+-]?\d{1,3},\d{3}$/;

/** Parses a printed number. Throws a FeedError for anything else, as a changed layout must not become a rate. */
export function numberOf(value: string | number | null | undefined, mark: DecimalMark = '.'): number {
  if (value === undefined || value === null) throw new FeedError('no number where one is expected');
  if (typeof value === 'number') return value;
  const printed = value.replace(/[\s\u00a0\u202f]+/g, ' ').trim();
  const text = mark === '.' ? printed : printed.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','));
  const isNumber = FORM.test(text) && /^[^eE]*\d/.test(text) && !AMBIGUOUS.test(text);
  if (!isNumber) throw new FeedError(`not a number: ${JSON.stringify(value.slice(0, 40))}`);
  return Number(text.replace(/[,' ’]/g, ''));
}

/** Like numberOf, but undefined for null, blank, or a mark of the source, such as `ND`. The field must exist. */
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

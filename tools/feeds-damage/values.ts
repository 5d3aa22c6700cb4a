/** A cell, field or text that is a number and nothing else, thousands marks and a percent of none included. */
export function isNumberText(text: string): boolean {
  return /^\s*[-+]?\d[\d.,' ]*\s*$/.test(text) && !/^\s*(?:19|20)\d{6}\s*$/.test(text);
}

export const NO_NUMBER = 'N/A';

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const YEAR_FIRST = /\b((?:19|20)\d\d)([-/.])(\d\d)\2(\d\d)/g;
const DAY_FIRST = /\b(\d\d?)([-/.])(\d\d?)\2((?:19|20)\d\d)\b/g;
const NAMED_MONTH =
  /\b(\d\d?)([- ]?)(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\2((?:19|20)?\d\d)\b/g;
const COMPACT = /(?<![\d.])((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![\d.])/g;

/** Every date of the text in a form that its source does not print; the same text where it holds none. */
export function inAnotherForm(text: string): string {
  return text
    .replace(NAMED_MONTH, (_, day, _mark, month, year) => `${MONTHS.indexOf(month) + 1}|${day}|${year}`)
    .replace(YEAR_FIRST, (_, year, _mark, month, day) => `${day}|${month}|${year}`)
    .replace(DAY_FIRST, (_, one, _mark, other, year) => `${year}|${one}|${other}`)
    .replace(COMPACT, (_, year, month, day) => `${day}|${month}|${year}`);
}

/** Every date of the text a year earlier. */
export function aYearOff(text: string): string {
  const earlier = (year: string) => String(Number(year) - 1);
  return text
    .replace(NAMED_MONTH_YEAR, (_, before: string, year: string) => `${before}${earlier(year)}`)
    .replace(YEAR_FIRST, (date) => earlier(date.slice(0, 4)) + date.slice(4))
    .replace(DAY_FIRST, (date) => date.slice(0, -4) + earlier(date.slice(-4)))
    .replace(COMPACT, (date) => earlier(date.slice(0, 4)) + date.slice(4));
}

/** Every date of the text with its day for its month. */
export function dayAndMonthExchanged(text: string): string {
  return text
    .replace(YEAR_FIRST, (_, year, mark, month, day) => `${year}${mark}${day}${mark}${month}`)
    .replace(DAY_FIRST, (_, one, mark, other, year) => `${other}${mark}${one}${mark}${year}`)
    .replace(COMPACT, (_, year, month, day) => `${year}${day}${month}`);
}

/** Every date of the text with two digits for its year. */
export function withShortYears(text: string): string {
  return text
    .replace(NAMED_MONTH_YEAR, (_, before: string, year: string) => `${before}${year.slice(2)}`)
    .replace(YEAR_FIRST, (date) => date.slice(2))
    .replace(DAY_FIRST, (date) => date.slice(0, -4) + date.slice(-2));
}

const NAMED_MONTH_YEAR =
  /\b((?:\d\d?[- ]?)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?[- ]?(?:\d\d?, )?)((?:19|20)\d\d)\b/g;

/** A number with a comma where it has a point before its decimals, and the other way round. */
export function otherDecimalMark(number: string): string {
  return number.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
}

/** A number with a mark between its thousands, where it has some. */
export function withThousandsMarks(number: string): string {
  const [whole = '', mark = '', decimals = ''] = number.split(/([.,])(?=\d*$)/);
  const between = mark === '.' ? ',' : '.';
  return whole.replace(/\B(?=(?:\d{3})+$)/g, between) + mark + decimals;
}

/** Changes numbers with decimals alone: others are counts, days or codes. */
export function ofDecimals(change: (number: string) => string): (number: string) => string {
  return (number) => (/\d[.,]\d/.test(number) ? change(number) : number);
}

import { readerOf } from '../../pages/reader.js';

/** The console is in English, as logs and the command line are. */
export const english = readerOf('en-GB');

/** Such as "1 Mar 2026 – 14 Mar 2026". Without an end, up to the newest rates. */
export function daysOf(from: string, to: string | null | undefined): string {
  const { shortDate } = english.formats;
  return `${shortDate(from)} – ${to ? shortDate(to) : 'now'}`;
}

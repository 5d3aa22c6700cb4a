const SERIES = 'a series is asked for by its currency, and the response does not name it';
const PAGE = 'a page of the history is asked for by its currency, and does not name it';
const LINE =
  'cut exactly between two lines of a file without a last line or a count; only the length of HTTP tells';

/**
 * Damages that no reader of the source can tell from a true response, as the source's description shows: by the feed, the
 * damage and its detail, where it has one. Fewer than fifteen.
 */
const REASONS: Readonly<Record<string, string>> = {
  'BCB, another currency': SERIES,
  'BFM, another currency': SERIES,
  'FRED, another currency': SERIES,
  "NBKR, today's response": PAGE,
  'NBKR, records none': PAGE,
  'IMF, records reversed':
    'a file is two tables, one below the other: what stands below a heading is of its days',
  'BOB, records reversed':
    'of a day that stands there twice the first counts, whatever the order of the days',
  'BOB, cut at random 48.68 %': LINE,
  'ECB, cut at random 61.62 %': LINE,
  'NB, cut at random 21.36 %': LINE,
};

/** Why a damaged response looks like a true one; undefined where it does not. */
export function reasonUndecidable(key: string, damage: string, detail: string): string | undefined {
  return REASONS[`${key}, ${damage} ${detail}`] ?? REASONS[`${key}, ${damage}`];
}

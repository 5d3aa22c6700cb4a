import type { DamageKind } from './damages.js';

/** A damage that no reader of the source can tell from a true response, as the source's description shows. */
interface Undecidable {
  key: string;
  damage: DamageKind;
  /** The name that was changed, where the damage has one. */
  detail?: string;
  reason: string;
}

/** The one list of them; fewer than fifteen. */
const UNDECIDABLE: readonly Undecidable[] = [
  ...['BCB', 'BFM', 'FRED'].map(
    (key): Undecidable => ({
      key,
      damage: 'another currency',
      reason: 'a series is asked for by its currency, and the response does not name it',
    }),
  ),
  {
    key: 'NBKR',
    damage: "today's response",
    reason: 'a page of the history is asked for by its currency, and does not name it',
  },
  {
    key: 'NBKR',
    damage: 'records',
    detail: 'none',
    reason: 'a page of the history is asked for by its currency, and does not name it',
  },
  {
    key: 'IMF',
    damage: 'records',
    detail: 'reversed',
    reason: 'a file is two tables, one below the other: what stands below a heading is of its days',
  },
  {
    key: 'BOB',
    damage: 'records',
    detail: 'reversed',
    reason: 'of a day that stands there twice the first counts, whatever the order of the days',
  },
  ...['BOB 48.68 %', 'ECB 61.62 %', 'NB 21.36 %'].map((cell): Undecidable => {
    const [, key = '', detail = ''] = /^(\w+) (.*)$/.exec(cell) ?? [];
    return {
      key,
      damage: 'cut at random',
      detail,
      reason:
        'cut exactly between two lines of a file without a last line or a count; only the length of HTTP tells',
    };
  }),
];

/** Why a damaged response looks like a true one; undefined where it does not. */
export function reasonUndecidable(cell: {
  key: string;
  damage: DamageKind;
  detail: string;
}): string | undefined {
  return UNDECIDABLE.find(
    ({ key, damage, detail }) =>
      key === cell.key && damage === cell.damage && (detail === undefined || detail === cell.detail),
  )?.reason;
}

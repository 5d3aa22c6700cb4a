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
export const UNDECIDABLE: readonly Undecidable[] = [];

/** Why a damage can't be told from a true response; undefined where it can. */
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

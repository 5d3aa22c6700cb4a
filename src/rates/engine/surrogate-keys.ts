import { fromDayNumber } from '../../../core/domain/dates.js';
import { LAST_DAY } from '../../../core/domain/periods.js';
import { keysOfAnswer, NOW, type RatesOfAnswer } from '../../../core/domain/surrogate-keys.js';
import type { Basis } from './basis.js';

/** About a hundred years, for whose keys a header has room. */
const MOST_DAYS = 36_600;

/**
 * The keys by which a CDN purges an answer when what it is made of has changed: see core/domain/surrogate-keys.ts. Without
 * a basis, or of open days or centuries, it is purged with each data version, as is what moves with time.
 */
export function surrogateKeysOf(basis: Basis | undefined, isMoving: boolean): string[] {
  if (!basis || basis.days.to - basis.days.from > MOST_DAYS) return [NOW];
  const from = fromDayNumber(basis.days.from);
  const to = fromDayNumber(Math.min(LAST_DAY, basis.days.to));
  const keys = keysOfAnswer(ratesOf(basis), { from, to });
  return isMoving ? [NOW, ...keys] : keys;
}

function ratesOf({ isRaw, providers = [] }: Basis): RatesOfAnswer {
  const [provider, ...others] = providers;
  if (!isRaw) return 'blend';
  return provider !== undefined && others.length === 0 ? { provider } : 'all';
}

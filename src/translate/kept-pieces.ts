import type { Clock } from '../../core/domain/clock.js';
import type { CachedCopies } from '../relay/cached-copies.js';
import type { Translated, TranslationEngine } from './engine.js';

/** If one piece of a long text fails, the next request for the text translates only the missing pieces. */
export function keepPieces(
  engine: TranslationEngine,
  copies: CachedCopies<Translated>,
  clock: Clock,
): TranslationEngine {
  return {
    ...engine,
    async translate(piece, codes, signal) {
      const key = JSON.stringify([codes.from, codes.to, piece]);
      const kept = await copies.read(key);
      if (kept) return kept.value;
      const value = await engine.translate(piece, codes, signal);
      await copies.write(key, { fetchedAt: clock().getTime(), value });
      return value;
    },
  };
}

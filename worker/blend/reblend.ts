import type { Logger } from 'pino';
import { areBlendsOutdated } from '../../core/database/blend-method.js';
import { wholeHistory } from '../../core/database/blended-rates.js';
import { renewCurrencies } from '../../core/database/coverage.js';
import { appendVersion } from '../../core/database/data-versions.js';
import type { Database } from '../../core/database/database.js';
import { lockData, lockDataForRebuild } from '../../core/database/locks.js';
import { inBulkTransaction, inOneView, type Transaction } from '../../core/database/transactions.js';
import { type DateRange, union } from '../../core/domain/dates.js';
import { BLEND_METHOD, exceptedProviders } from '../../core/domain/providers.js';
import { rangeOf } from './blend-changed.js';
import { blendWindows } from './blend-windows.js';
import type { OnProgress } from './recompute.js';

/**
 * Judges and blends a window of days again, inside the caller's transaction. Returns the data version, a new one even if no
 * blend changed, because a decision on a suspect changes what is shown for its provider.
 */
export async function reblend(transaction: Transaction, window: DateRange): Promise<bigint> {
  await lockData(transaction);
  const { changed, suspects } = await blendWindows(transaction, [window]);
  return appendVersion(transaction, rangeOf(suspects, union(changed, window)) ?? window, undefined);
}

/**
 * Blends all history again in one transaction. Creates no data version if nothing changed, unless the blends were outdated.
 * Throws a ProgramOutdated if they are of a newer method, or except other providers and are not taken over.
 */
export async function rebuild(
  database: Database,
  {
    onProgress,
    onlyOutdated = false,
    takesOver = false,
  }: { onProgress?: OnProgress | undefined; onlyOutdated?: boolean; takesOver?: boolean } = {},
): Promise<bigint | undefined> {
  return inBulkTransaction(database, async (transaction) => {
    const areOutdated = await lockDataForRebuild(transaction, { takesOver });
    if (onlyOutdated && !areOutdated) return undefined;
    const all = await wholeHistory(transaction);
    if (!all) return undefined;
    const { changed, suspects } = await blendWindows(transaction, [all], { onProgress });
    if (takesOver) await renewCurrencies(transaction);
    const range = areOutdated ? all : rangeOf(suspects, changed);
    return range && appendVersion(transaction, range, undefined);
  });
}

/**
 * Blends all history again if the blends are of an older method. Must run before anything else is written. Returns the data
 * version if there is a new one. Throws a ProgramOutdated if they are newer, or except other providers.
 */
export async function renewBlends(database: Database): Promise<bigint | undefined> {
  const areOutdated = await inOneView(database, areBlendsOutdated);
  return areOutdated ? rebuild(database, { onlyOutdated: true }) : undefined;
}

/**
 * Blends all history again if the blends are of an older method or except other providers. Only a worker does so, when it
 * starts; running programs of an older method or with another PROVIDERS_EXCEPT then stop writing. Returns the data version if
 * there is a new one. Throws a ProgramOutdated if the blends are of a newer method.
 */
export async function claimBlends(
  database: Database,
  log: Logger,
  onProgress?: OnProgress,
): Promise<bigint | undefined> {
  const areOutdated = await inOneView(database, (view) => areBlendsOutdated(view, { takesOver: true }));
  if (!areOutdated) return undefined;
  const about = { method: BLEND_METHOD, except: exceptedProviders() };
  log.info(about, 'reblending all history, as the method or the excepted providers have changed');
  return rebuild(database, { onlyOutdated: true, takesOver: true, onProgress });
}

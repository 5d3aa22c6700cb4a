import { createSemaphore } from '../../core/concurrency/semaphore.js';
import type { Database } from '../../core/database/database.js';
import { asDatabaseError } from '../../core/database/errors.js';
import type { RecordingRun } from '../../core/database/rates.js';
import { inSavepoint, inTransaction, type PrismaTransaction } from '../../core/database/transactions.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import { type Blended, blendChanged } from '../blend/blend-changed.js';
import { renewBlends } from '../blend/reblend.js';
import type { RateRow } from '../feeds/feed.js';
import { type StoredRates, storeAndBlend, storeRates } from './store.js';

/** Stores valid rows, blends what they affect, and runs `alongside`, in one transaction. No version if all were known. */
export type Store = (
  provider: string,
  rows: readonly RateRow[],
  run: RecordingRun,
  alongside: (transaction: PrismaTransaction, stored: StoredRates) => Promise<void>,
) => Promise<StoredRates & Blended>;

/** Stores providers' rows one after the other, so that waiting ones hold none of the few connections. */
export function storeAlone(database: Database): Store {
  const turns = createSemaphore({ permits: 1 });
  return (provider, rows, run, alongside) =>
    turns.run(async () => {
      await renewBlends(database);
      return inTransaction(database, async (transaction) => {
        const stored = await storeAndBlend(transaction, provider, rows, run);
        await alongside(transaction, stored);
        return stored;
      });
    });
}

interface Member {
  provider: string;
  rows: readonly RateRow[];
  run: RecordingRun;
  alongside: Parameters<Store>[3];
  resolve: (stored: Awaited<ReturnType<Store>>) => void;
  reject: (error: unknown) => void;
}

/** Stores rows read during a transaction together in the next one, blended once. A provider that fails fails alone. */
export function groupCommit(database: Database): Store {
  let waiting: Member[] = [];
  let busy = false;
  const work = async () => {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await storeGroup(database, group);
    }
    busy = false;
  };
  return (provider, rows, run, alongside) =>
    new Promise((resolve, reject) => {
      waiting.push({ provider, rows, run, alongside, resolve, reject });
      if (!busy) void work();
    });
}

async function storeGroup(database: Database, group: readonly Member[]): Promise<void> {
  const done: { member: Member; stored: StoredRates }[] = [];
  try {
    await renewBlends(database);
    const { version, suspects } = await inTransaction(database, async (transaction) => {
      const changed = new Set<CalendarDate>();
      for (const member of group) {
        const stored = await storeMember(transaction, member);
        if (!stored) continue;
        done.push({ member, stored });
        for (const date of stored.changedDates) changed.add(date);
      }
      const providers = done.filter(({ stored }) => stored.changedDates.length > 0);
      return blendChanged(transaction, {
        dates: [...changed].sort(),
        providers: providers.map(({ member }) => member.provider),
      });
    });
    for (const { member, stored } of done) {
      member.resolve({
        ...stored,
        version: stored.changedDates.length > 0 ? version : undefined,
        suspects: suspects.filter(({ provider }) => provider === member.provider),
      });
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** Stores one member's rows. On failure rejects the member with the reason, and returns undefined. */
async function storeMember(transaction: PrismaTransaction, member: Member): Promise<StoredRates | undefined> {
  try {
    return await inSavepoint(transaction, async (part) => {
      const stored = await storeRates(part, member.provider, member.rows, member.run);
      await member.alongside(part, stored);
      return stored;
    });
  } catch (error) {
    member.reject(asDatabaseError(error));
    return undefined;
  }
}

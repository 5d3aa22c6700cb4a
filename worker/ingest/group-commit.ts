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

/**
 * Stores one provider's valid rows and blends what they touch, and does in the same transaction what belongs with
 * it. Returns the data version too, undefined where every row was known already, and the suspects among the rows.
 */
export type Store = (
  provider: string,
  rows: readonly RateRow[],
  run: RecordingRun,
  alongside: (transaction: PrismaTransaction, stored: StoredRates) => Promise<void>,
) => Promise<StoredRates & Blended>;

/**
 * Each provider's rows in a transaction of their own, one after the other: those that wait for the data then hold no
 * connections, of which there are few.
 */
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

/**
 * For many ingests at a time: what is read while a transaction is under way is stored together in the next one and
 * blended once. A provider whose rows can't be stored is left out of it, and the others are not.
 */
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

/** Stores one member's rows, or tells it why they can't be stored, and returns undefined. */
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

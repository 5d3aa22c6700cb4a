import type pg from 'pg';
import { withTransaction } from '../../core/database/database.js';
import type { CalendarDate } from '../../core/domain/dates.js';
import type { RateRow } from '../feeds/feed.js';
import { blendChanged, type StoredRates, storeAndBlend, storeRates } from './store.js';

/**
 * Stores one provider's valid rows and blends what they touch, and does in the same transaction what belongs with
 * it. Returns the data version too, undefined where every row was known already.
 */
export type Store = (
  provider: string,
  rows: readonly RateRow[],
  alongside: (client: pg.PoolClient, stored: StoredRates) => Promise<void>,
) => Promise<StoredRates & { version: bigint | undefined }>;

/** Each provider's rows in a transaction of their own. */
export function storeAlone(pool: pg.Pool): Store {
  return (provider, rows, alongside) =>
    withTransaction(pool, async (client) => {
      const stored = await storeAndBlend(client, provider, rows);
      await alongside(client, stored);
      return stored;
    });
}

interface Member {
  provider: string;
  rows: readonly RateRow[];
  alongside: Parameters<Store>[2];
  resolve: (stored: Awaited<ReturnType<Store>>) => void;
  reject: (error: unknown) => void;
}

/**
 * For many ingests at a time: what is read while a transaction is under way is stored together in the next one and
 * blended once. A provider whose rows can't be stored is left out of it, and the others are not.
 */
export function storeTogether(pool: pg.Pool): Store {
  let waiting: Member[] = [];
  let busy = false;
  const work = async () => {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await storeGroup(pool, group);
    }
    busy = false;
  };
  return (provider, rows, alongside) =>
    new Promise((resolve, reject) => {
      waiting.push({ provider, rows, alongside, resolve, reject });
      if (!busy) void work();
    });
}

async function storeGroup(pool: pg.Pool, group: readonly Member[]): Promise<void> {
  const done: { member: Member; stored: StoredRates }[] = [];
  try {
    const version = await withTransaction(pool, async (client) => {
      const changed = new Set<CalendarDate>();
      for (const member of group) {
        const stored = await storeMember(client, member);
        if (!stored) continue;
        done.push({ member, stored });
        for (const date of stored.changedDates) changed.add(date);
      }
      const only = done.length === 1 ? done[0]?.member.provider : undefined;
      return blendChanged(client, [...changed].sort(), only);
    });
    for (const { member, stored } of done) {
      member.resolve({ ...stored, version: stored.changedDates.length > 0 ? version : undefined });
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** Undefined where the member failed by itself, which it has been told then. */
async function storeMember(client: pg.PoolClient, member: Member): Promise<StoredRates | undefined> {
  await client.query('savepoint member');
  try {
    const stored = await storeRates(client, member.provider, member.rows);
    await member.alongside(client, stored);
    await client.query('release savepoint member');
    return stored;
  } catch (error) {
    await client.query('rollback to savepoint member');
    member.reject(error);
    return undefined;
  }
}

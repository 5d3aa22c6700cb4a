import { setTimeout as delay } from 'node:timers/promises';
import { readBlendedDays } from '../../core/database/blended-rates.js';
import type { Database } from '../../core/database/database.js';
import { type Decision, decide, type Proposal } from '../../core/database/decisions.js';
import { lockData, tryLockData } from '../../core/database/locks.js';
import { inDiscardedPart, inTransaction, type Transaction } from '../../core/database/transactions.js';
import type { DollarRate } from '../../core/domain/blend/apply-pegs.js';
import { WINDOW_DAYS } from '../../core/domain/blend/carry-forward.js';
import { type Consequence, consequenceOf } from '../../core/domain/blend/consequence.js';
import { addDays, type DateRange } from '../../core/domain/dates.js';
import { blendChanged, blendStored } from './blend-changed.js';
import { renewBlends } from './reblend.js';

/**
 * Applies an operator's decision on a suspect and blends the days that it affects, in one transaction. Returns the data
 * version; undefined if nothing changes (see `decide`), or a later decision was made.
 */
export async function applyDecision(database: Database, decision: Decision): Promise<bigint | undefined> {
  await renewBlends(database);
  return inTransaction(database, async (transaction) => {
    await lockData(transaction);
    const decided = await decide(transaction, decision, decision);
    if (!decided) return undefined;
    const changed = { dates: [decided.date], providers: [decided.provider] };
    return (await blendChanged(transaction, changed)).version;
  });
}

const TRIES = 20;
const BETWEEN_MS = 100;
/** Other writers wait in the meantime. */
const LONGEST_MS = 10_000;

/**
 * What a decision would change. Makes the decision in a transaction and rolls it back: no data version is published. Returns
 * `busy` if other work, such as a bulk load, holds the data lock for two seconds. Throws if it takes longer than ten seconds.
 */
export async function previewDecision(database: Database, proposal: Proposal): Promise<Consequence | 'busy'> {
  return inTransaction(database, async (transaction) => {
    for (let left = TRIES; !(await tryLockData(transaction)); left--) {
      if (left === 0) return 'busy';
      await delay(BETWEEN_MS);
    }
    const { changed, after } = await inDiscardedPart(transaction, () => attempt(transaction, proposal));
    return consequenceOf(await blendsAround(transaction, changed), after);
  });
}

/** Makes the decision. Returns the range with changed blends, and the blends around it. */
async function attempt(transaction: Transaction, proposal: Proposal) {
  const until = performance.now() + LONGEST_MS;
  const checkTime = () => {
    if (performance.now() > until) throw new Error(`the preview took longer than ${LONGEST_MS / 1_000} s`);
  };
  const decided = await decide(transaction, proposal, { operator: 'preview' });
  if (!decided) return { changed: undefined, after: [] };
  const { date, provider } = decided;
  const { changed } = await blendStored(transaction, { dates: [date], providers: [provider] }, checkTime);
  return { changed, after: await blendsAround(transaction, changed) };
}

/** The blends of a range of days, and those that are carried forward to them. */
async function blendsAround(transaction: Transaction, range: DateRange | undefined): Promise<DollarRate[]> {
  if (!range) return [];
  return readBlendedDays(transaction, { from: addDays(range.from, -WINDOW_DAYS), to: range.to });
}

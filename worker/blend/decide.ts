import type { Database } from '../../core/database/database.js';
import { type Decision, decide } from '../../core/database/decisions.js';
import { lockData } from '../../core/database/locks.js';
import { inTransaction } from '../../core/database/transactions.js';
import { blendChanged } from './blend-changed.js';
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

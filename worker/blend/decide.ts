import type { Database } from '../../core/database/database.js';
import { lockData } from '../../core/database/locks.js';
import { type Decision, isOvertaken } from '../../core/database/operators.js';
import { resolveSuspect } from '../../core/database/suspects.js';
import { inTransaction } from '../../core/database/transactions.js';
import { blendChanged } from './blend-changed.js';
import { renewBlends } from './reblend.js';

/**
 * Applies an operator's decision on a suspect and blends the days that it affects, in one transaction. Returns the data
 * version; undefined if nothing changes (see `resolveSuspect`), or a later decision was made.
 */
export async function applyDecision(database: Database, decision: Decision): Promise<bigint | undefined> {
  await renewBlends(database);
  return inTransaction(database, async (transaction) => {
    await lockData(transaction);
    if (await isOvertaken(transaction, decision)) return undefined;
    const { suspect, status, operator } = decision;
    const decided = await resolveSuspect(transaction, suspect, status, operator);
    if (!decided) return undefined;
    const changed = { dates: [decided.date], providers: [decided.provider] };
    return (await blendChanged(transaction, changed)).version;
  });
}

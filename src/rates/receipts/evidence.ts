import { LRUCache } from 'lru-cache';
import type { Database } from '../../../core/database/database.js';
import { type RunResponse, readResponses } from '../../../core/database/run-responses.js';
import type { ReceiptInput } from '../../../core/domain/receipt/schema.js';
import type { ProvenanceRow } from './rows-behind.js';

/** Returns the responses that the run of a row read; null if they were not recorded. */
export type EvidenceOf = (row: Recorded) => ReceiptInput['evidence'];

type Recorded = Pick<ProvenanceRow, 'run' | 'recordedAt'>;

/** A step of a backfill may have read hundreds of responses. */
const MOST_RESPONSES = 20;
/** Rows behind the newest rates come from some hundred runs. */
const KEPT_RUNS = 1_000;

/** Opens a cached reader, as the responses of a run never change. The reader throws errors of the database. */
export function openEvidence(database: Database): (rows: readonly Recorded[]) => Promise<EvidenceOf> {
  const kept = new LRUCache<string, { evidence: ReceiptInput['evidence'] }>({ max: KEPT_RUNS });
  return async (rows) => {
    const found = new Map(rows.map((row) => [nameOf(row), kept.get(nameOf(row))]));
    const missing = rows.flatMap(({ run, recordedAt }) => {
      const name = nameOf({ run, recordedAt });
      return run === null || found.get(name) ? [] : [{ name, run }];
    });
    const runs = new Set(missing.map(({ run }) => run));
    const responses = await readResponses(database, [...runs], MOST_RESPONSES);
    for (const { name, run } of missing) {
      const read = { evidence: responses.get(run)?.map(evidenceOf) ?? null };
      kept.set(name, read);
      found.set(name, read);
    }
    return (row) => found.get(nameOf(row))?.evidence ?? null;
  };
}

/** After a restore of the database, another run may have the same number, but not at the same instant. */
function nameOf({ run, recordedAt }: Recorded): string {
  return `${run} ${recordedAt.getTime()}`;
}

function evidenceOf({ url, fetchedAt, sha256, bytes }: RunResponse) {
  return { url, fetched_at: fetchedAt.toISOString(), sha256, bytes };
}

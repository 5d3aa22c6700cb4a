import type { Database } from './database.js';
import { arrayOf, sql } from './sql.js';
import { type PrismaTransaction, rowsOf } from './transactions.js';

export interface RunResponse {
  /** Without secrets. */
  url: string;
  fetchedAt: Date;
  /** Hexadecimal SHA-256 of the decompressed body, whose length is `bytes`. */
  sha256: string;
  bytes: number;
}

/** Records the responses that a run read. Call it in the transaction of the run's rows. */
export async function recordResponses(
  { prisma }: PrismaTransaction,
  run: string,
  responses: readonly RunResponse[],
): Promise<void> {
  await prisma.runResponse.createMany({
    data: responses.map(({ sha256, ...response }, number) => ({
      ...response,
      run: Number(run),
      number,
      sha256: Buffer.from(sha256, 'hex'),
    })),
  });
}

/** The first responses of each run, in the order of their arrival. Runs without known responses are missing. */
export async function readResponses(
  database: Database,
  runs: readonly number[],
  mostOfRun = 1_000,
): Promise<Map<number, RunResponse[]>> {
  if (runs.length === 0) return new Map();
  const rows = await rowsOf<RunResponse & { run: number }>(
    database,
    sql`select run, url, fetched_at as "fetchedAt", encode(sha256, 'hex') as sha256, bytes
        from run_responses where run = any(${arrayOf(runs)}::int[]) and number < ${mostOfRun} order by run, number`,
  );
  const byRun = new Map<number, RunResponse[]>();
  for (const { run, ...response } of rows) byRun.set(run, [...(byRun.get(run) ?? []), response]);
  return byRun;
}

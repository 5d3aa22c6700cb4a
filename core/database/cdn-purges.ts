import { type DataVersion, newestVersion, versionsFrom } from './data-versions.js';
import { type Database, withPrisma } from './database.js';
import { sql } from './sql.js';
import { inOneView } from './transactions.js';

/**
 * The versions of which a CDN has not been told in a round, oldest first: all of them in a database that was put back to
 * one before what it was told; undefined in a round that has not begun.
 */
export function unpurgedVersions(database: Database, round: string): Promise<DataVersion[] | undefined> {
  return inOneView(database, async (view) => {
    const [row] = await view.query<{ version: string }>(
      sql`select version::text from cdn_purges where round = ${round}`,
    );
    if (!row) return undefined;
    const purged = BigInt(row.version);
    const wasPutBack = ((await newestVersion(view))?.version ?? 0n) < purged;
    return versionsFrom(view, wasPutBack ? 1n : purged + 1n);
  });
}

/** Notes up to which version a CDN has been told in a round, and when. */
export async function notePurged(
  database: Database,
  round: string,
  version: bigint,
  now: Date,
): Promise<void> {
  const told = { version, purgedAt: now };
  await withPrisma(database, (prisma) =>
    prisma.cdnPurge.upsert({ where: { round }, create: { round, ...told }, update: told }),
  );
}

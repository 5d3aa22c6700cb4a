import { expect, it } from 'vitest';
import { databaseLines, schemaLines } from '../../support/schema-lines.js';
import { sharedDatabase } from '../../support/shared.js';

it('the migrated database is what schema.prisma says', async () => {
  const { pool } = await sharedDatabase([]);
  const schema = await schemaLines();
  expect(schema.filter((line) => line.startsWith('column rates.')).length).toBeGreaterThan(0);
  expect(await databaseLines(pool)).toEqual(schema);
});

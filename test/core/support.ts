import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import type { StartedProgram } from '../support/service.js';

/** A database of the file's own, of which these tables, and what refers to them, are empty before each test. */
export async function ownDatabase(...emptied: string[]): Promise<TestDatabase> {
  const database = await testDatabase();
  afterAll(() => database.close());
  if (emptied.length > 0)
    beforeEach(() => database.pool.query(`truncate ${emptied.join()} restart identity cascade`));
  return database;
}

/** The rows of a query, each as the list of its values. */
export async function rowsOf(
  { pool }: TestDatabase,
  text: string,
  values: unknown[] = [],
): Promise<unknown[][]> {
  return (await pool.query({ text, values, rowMode: 'array' })).rows;
}

/** A temporary folder that is removed when its test has finished. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Ends a program when its test has finished. */
export function endWithTest<Program extends StartedProgram>(program: Program): Program {
  onTestFinished(async () => {
    program.process.kill('SIGTERM');
    await program.ended;
  });
  return program;
}

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, onTestFinished } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/postgres.js';
import { temporaryFolder } from '../support/postgres-server.js';
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

/** A temporary folder that PostgreSQL's user may enter, and that is removed when its test has finished. */
export async function newFolder(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Gives each test of a file a folder of its own, and the path of what lies in that. */
export function ownFolder(): (...names: string[]) => string {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });
  return (...names) => join(folder, ...names);
}

/** Ends a program when its test has finished. */
export function endWithTest<Program extends StartedProgram>(program: Program): Program {
  onTestFinished(async () => {
    program.process.kill('SIGTERM');
    await program.ended;
  });
  return program;
}

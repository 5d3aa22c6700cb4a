import { getPriority } from 'node:os';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { adoptPriority } from '../../../core/database/session-priority.js';
import { serverSource } from '../../support/server-source.js';

let client: pg.Client & { processID?: number };

beforeEach(async () => {
  client = new pg.Client({ connectionString: inject('templateUrl').replace(/[^/]*$/, 'postgres') });
  await client.connect();
});
afterEach(() => client.end());

// In a container, its number is that of another process on this machine, or of none.
const isVisible = serverSource() !== 'containers';

function nicenessOfSession(): number | undefined {
  try {
    return getPriority(client.processID ?? 0);
  } catch {
    return undefined;
  }
}

describe('a session of PostgreSQL', () => {
  it('gets the lower priority of the program that it works for, and keeps a lower one of its own', () => {
    const before = nicenessOfSession();
    adoptPriority(client, 12);
    expect(nicenessOfSession()).toBe(isVisible ? 12 : before);
    adoptPriority(client, 7);
    expect(nicenessOfSession()).toBe(isVisible ? 12 : before);
  });

  it('keeps its priority for a program of the usual one', () => {
    const before = nicenessOfSession();
    adoptPriority(client, 0);
    expect(nicenessOfSession()).toBe(before);
  });

  it('is told by its connection: another process with its number is left alone', () => {
    const other = process.pid;
    const before = getPriority(other);
    adoptPriority({ connection: client.connection, processID: other } as never, 15);
    expect(getPriority(other)).toBe(before);
  });
});

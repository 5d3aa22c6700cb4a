import { expect, it, vi } from 'vitest';
import type { Database } from '../../../core/database/database.js';
import { openProbes } from '../../../src/operations/probes.js';

it('asks a server once for all that ask within a second, and again afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  try {
    let fails = false;
    const tryRawRows = vi.fn(async () => {
      if (fails) throw new Error('no connection');
    });
    const probes = openProbes({ database: {} as Database, tryRawRows });
    expect(await Promise.all([probes.rawRows(), probes.rawRows()])).toEqual(['up', 'up']);
    fails = true;
    vi.advanceTimersByTime(900);
    expect(await probes.rawRows()).toBe('up');
    expect(tryRawRows).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(await probes.rawRows()).toBe('down');
    expect(tryRawRows).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

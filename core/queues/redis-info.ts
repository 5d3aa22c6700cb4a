import type { Redis } from 'ioredis';

/** Throws if Redis can't be queried. */
export async function readMemory(client: Redis) {
  const memory = await client.info('memory');
  return {
    usedBytes: figureOf(memory, 'used_memory'),
    /** 0 if unlimited. */
    maxBytes: figureOf(memory, 'maxmemory'),
    evicts: !/^maxmemory_policy:noeviction/m.test(memory),
  };
}

export function figureOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

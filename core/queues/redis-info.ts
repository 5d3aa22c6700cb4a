import type { Redis } from 'ioredis';

export interface RedisMemory {
  usedBytes: number;
  /** 0 if unlimited. */
  maxBytes: number;
  evicts: boolean;
}

/** Throws if Redis can't be queried. */
export async function readMemory(client: Redis): Promise<RedisMemory> {
  const memory = await client.info('memory');
  return {
    usedBytes: figureOf(memory, 'used_memory'),
    maxBytes: figureOf(memory, 'maxmemory'),
    evicts: !/^maxmemory_policy:noeviction/m.test(memory),
  };
}

export function figureOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

import type { Redis } from 'ioredis';

export interface RedisMemory {
  usedBytes: number;
  /** 0 if unlimited. */
  maxBytes: number;
  /** Whether it evicts keys once it is full. */
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

/** A number in the output of `INFO` or `CLUSTER INFO`; 0 if it is missing. */
export function figureOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

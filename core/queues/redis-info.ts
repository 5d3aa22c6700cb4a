import type { Redis } from 'ioredis';

/** What Redis says about its memory. */
export interface RedisMemory {
  usedBytes: number;
  /** 0 where it has no bound. */
  maxBytes: number;
  /** Whether it removes keys that nothing waits for once it is full. */
  evicts: boolean;
}

/** Throws where Redis can't be asked. */
export async function readMemory(client: Redis): Promise<RedisMemory> {
  const memory = await client.info('memory');
  return {
    usedBytes: figureOf(memory, 'used_memory'),
    maxBytes: figureOf(memory, 'maxmemory'),
    evicts: !/^maxmemory_policy:noeviction/m.test(memory),
  };
}

/** A number in the output of `INFO` or `CLUSTER INFO`; 0 where it is missing. */
export function figureOf(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

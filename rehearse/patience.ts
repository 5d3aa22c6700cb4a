import { setTimeout as delay } from 'node:timers/promises';

/** Looks until there is something, and gives it with the milliseconds that took. Throws `what` after the limit. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  { limitMs, everyMs = 25, signal }: { limitMs: number; everyMs?: number; signal: AbortSignal },
): Promise<{ found: T; ms: number }> {
  const started = performance.now();
  for (;;) {
    const found = await look();
    const ms = performance.now() - started;
    if (found !== undefined && found !== false) return { found, ms };
    if (ms > limitMs) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await delay(everyMs, undefined, { signal });
  }
}

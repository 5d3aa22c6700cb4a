import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `check` until it returns something, and returns that with the milliseconds it took. After `limitMs`, throws an
 * error that names what was waited for.
 */
export async function waitUntil<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  { limitMs, everyMs = 100, signal }: { limitMs: number; everyMs?: number; signal: AbortSignal },
): Promise<{ found: T; ms: number }> {
  const started = performance.now();
  for (;;) {
    const found = await check();
    const ms = performance.now() - started;
    if (found !== undefined && found !== false) return { found, ms };
    if (ms > limitMs) throw new Error(`${what}: not within ${limitMs / 1000} s`);
    await delay(everyMs, undefined, { signal });
  }
}

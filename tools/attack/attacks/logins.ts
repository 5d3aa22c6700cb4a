import type { Attack } from '../attack.js';
import { ask } from '../requests.js';

const GUESSES = 1_000;
const AT_ONCE = 4;
/** Of each of them: two hundred guesses a second in all. */
const EVERY_MS = 20;
const MOST_WRONG = 10;
/** What is left to an operator at another address. */
const OTHER_ADDRESS = '127.0.0.9';

/** Wrong tokens from one address, with headers that may say otherwise. */
function guesses(name: string, forged: (guess: number) => Record<string, string>): Attack {
  return {
    name,
    async run(context) {
      const { url, adminToken } = context.environment;
      const statuses = new Map<number, number>();
      let next = 0;
      const guess = async () => {
        while (next < GUESSES) {
          await context.pause(EVERY_MS);
          const token = `${adminToken.slice(0, -4)}${String(next++).padStart(4, '0')}`;
          const byForm = next % 2 === 0;
          const { status, headers } = await ask(url, byForm ? '/admin/login' : '/admin/audit', {
            method: byForm ? 'POST' : 'GET',
            headers: {
              ...forged(next),
              ...(byForm
                ? { 'content-type': 'application/x-www-form-urlencoded' }
                : { authorization: `Bearer ${token}` }),
            },
            body: byForm ? `token=${token}` : undefined,
          });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status === 429 && headers['retry-after'] === undefined)
            context.fail('a 429 without retry-after');
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, guess));
      const asked = [...statuses.values()].reduce((sum, some) => sum + some, 0);
      const compared = asked - (statuses.get(429) ?? 0);
      // Guesses that arrive together may be compared before the first of them is counted.
      if (compared > MOST_WRONG + AT_ONCE) context.fail(`${compared} of ${asked} guesses were compared`);
      const own = await ask(url, '/admin/audit', {
        from: OTHER_ADDRESS,
        headers: { authorization: `Bearer ${adminToken}` },
      });
      if (own.status !== 200) context.fail(`an operator at another address got ${own.status}`);
      return `${asked} wrong tokens from one address, ${AT_ONCE} at a time: ${compared} were compared, the others got 429`;
    },
  };
}

export const logins: readonly Attack[] = [
  guesses('guessed tokens', () => ({})),
  guesses('guessed tokens, forged addresses', (guess) => ({
    'x-forwarded-for': `10.${guess >> 8}.${guess % 256}.1, 2001:db8:${guess.toString(16)}::1`,
    forwarded: `for=10.${guess >> 8}.${guess % 256}.2`,
    'x-real-ip': `10.${guess >> 8}.${guess % 256}.3`,
  })),
];

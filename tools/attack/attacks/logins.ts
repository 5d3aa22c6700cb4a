import type { Attack, AttackContext } from '../attack.js';
import { ask } from '../requests.js';

const GUESSES = 1_000;
const AT_ONCE = 4;
/** Of each of them: two hundred guesses a second in all. */
const EVERY_MS = 20;
const MOST_WRONG = 10;
const GUESSER = '127.0.0.8';
/** What is left to an operator at another address. */
const OPERATOR = '127.0.0.9';

/** Wrong tokens from one address, half of them with headers that say otherwise. */
async function guess({ environment, fail, pause }: AttackContext): Promise<string> {
  const { url, adminToken } = environment;
  const statuses: number[] = [];
  let next = 0;
  const guesses = async () => {
    while (next < GUESSES) {
      await pause(EVERY_MS);
      const number = next++;
      const token = `${adminToken.slice(0, -4)}${String(number).padStart(4, '0')}`;
      const forged =
        number % 4 < 2 ? {} : { 'x-forwarded-for': `10.1.2.${number % 256}`, forwarded: 'for=10.1.2.3' };
      const byForm = number % 2 === 0;
      const { status, headers } = byForm
        ? await ask(url, '/admin/login', {
            method: 'POST',
            from: GUESSER,
            headers: { ...forged, 'content-type': 'application/x-www-form-urlencoded' },
            body: `token=${token}`,
          })
        : await ask(url, '/admin/audit', {
            from: GUESSER,
            headers: { ...forged, authorization: `Bearer ${token}` },
          });
      statuses.push(status);
      if (status === 429 && headers['retry-after'] === undefined) fail('a 429 without retry-after');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, guesses));
  const compared = statuses.filter((status) => status !== 429).length;
  // Guesses that arrive together may be compared before the first of them is counted.
  if (compared > MOST_WRONG + AT_ONCE) fail(`${compared} of ${statuses.length} guesses were compared`);
  const headers = { authorization: `Bearer ${adminToken}` };
  const own = await ask(url, '/admin/audit', { from: OPERATOR, headers });
  if (own.status !== 200) fail(`an operator at another address got ${own.status}`);
  return `${statuses.length} wrong tokens from one address, half with forged addresses, ${AT_ONCE} at a time: ${compared} were compared, the others got 429`;
}

export const logins: Attack = { name: 'guessed tokens', run: guess };

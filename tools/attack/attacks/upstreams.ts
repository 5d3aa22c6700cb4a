import { waitUntil } from '../../rehearse/wait-until.js';
import type { Attack } from '../attack.js';
import type { Behaviour } from '../hostile-upstream.js';
import { ask } from '../requests.js';
import { tally } from '../tally.js';

/** A load ends after at most eight seconds, and its clients get an error. */
const LIMIT_MS = 10_000;
const AT_ONCE = 40;
/** A circuit that has opened stays so for half a minute. */
const CLOSED_MS = 45_000;

/** Routes that relay, with questions that differ by their number, so that none shares another's answer. */
const ROUTES: readonly ((number: number) => string)[] = [
  (number) => `/weather/search?q=place${number}`,
  (number) => `/sg/bus-arrivals?code=${10_000 + number}`,
  (number) => `/detect/location?lat=${(number / 1_000).toFixed(3)}&lon=20`,
  (number) => `/translate/text?to=it&text=hello%20${number}`,
];
/** As many in the short form as there are routes, so that no circuit that one has opened protects from the next. */
const IN_SHORT: readonly Behaviour[] = ['silent', 'endless', 'bomb', 'reset'];
const LONG: readonly Behaviour[] = ['dripping', 'too-short', 'too-long', 'redirect', 'endless-head'];

let asked = 0;

function against(how: Behaviour, place: number): Attack {
  const path = () => ROUTES[place % ROUTES.length]?.(asked++) ?? '/';
  return {
    name: `upstream: ${how}`,
    ...(LONG.includes(how) && { long: true }),
    async run({ environment: { upstream, url }, signal, fail }) {
      const isClosed = async () => (await ask(url, path())).status < 500;
      await waitUntil('a closed circuit', isClosed, { limitMs: CLOSED_MS, everyMs: 500, signal });
      const before = upstream.requests.length;
      upstream.behave(how);
      const questions = Array.from({ length: AT_ONCE }, () => ask(url, path(), { limitMs: LIMIT_MS }));
      const outcomes = (await Promise.allSettled(questions)).map((settled) =>
        settled.status === 'fulfilled' ? settled.value.status : String(settled.reason),
      );
      // A redirect or a body that is cut short is no usable response; one that is too long may be.
      const faults = outcomes.filter((outcome) => ![200, 404, 502, 503].includes(Number(outcome)));
      if (faults.length > 0) fail(`unexpected: ${tally(faults)}`);
      const reached = upstream.requests.slice(before);
      if (reached.length === 0) fail('nothing reached the upstream');
      if (reached.some((line) => line.includes('/inside'))) fail('a redirect was followed');
      return `${AT_ONCE} relayed requests at once, of which ${reached.length} reached the upstream: ${tally(outcomes)}`;
    },
  };
}

export const upstreams: readonly Attack[] = [...IN_SHORT, ...LONG].map(against);

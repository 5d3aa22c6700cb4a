import { waitUntil } from '../../rehearse/wait-until.js';
import type { Attack, AttackContext } from '../attack.js';
import { HOSTILITIES, type Hostility } from '../hostile-upstream.js';
import { ask } from '../requests.js';

/** A load ends after at most eight seconds, and its clients get an error. */
const LIMIT_MS = 10_000;
const AT_ONCE = 40;
/** A circuit that has opened stays so for half a minute. */
const CLOSED_MS = 45_000;
/** As many as there are routes, so that no circuit that one has opened protects from the next. */
const IN_SHORT: readonly Hostility[] = ['silent', 'endless', 'bomb', 'reset'];

/** Routes that relay, with questions that differ by their number, so that none shares another's answer. */
const ROUTES: readonly ((number: number) => string)[] = [
  (number) => `/weather/search?q=place${number}`,
  (number) => `/sg/bus-arrivals?code=${10_000 + number}`,
  (number) => `/detect/location?lat=${(number / 1_000).toFixed(3)}&lon=20`,
  (number) => `/translate/text?to=it&text=hello%20${number}`,
];

let asked = 0;

function against(how: Hostility): Attack {
  const place = IN_SHORT.includes(how) ? IN_SHORT.indexOf(how) : HOSTILITIES.indexOf(how);
  const route = ROUTES[place % ROUTES.length] ?? (() => '/');
  return {
    name: `upstream: ${how}`,
    async run(context) {
      const { upstream, url } = context.environment;
      const isClosed = async () => (await ask(url, route(asked++))).status < 500;
      await waitUntil('a closed circuit', isClosed, {
        limitMs: CLOSED_MS,
        everyMs: 500,
        signal: context.signal,
      });
      const before = upstream.requests();
      upstream.behave(how);
      const statuses = new Map<string, number>();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const status = await question(context, route(asked++));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
      const reached = upstream.requests() - before;
      if (reached === 0) context.fail('nothing reached the upstream');
      const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
      return `${AT_ONCE} relayed requests at once, of which ${reached} reached the upstream: ${counts}`;
    },
    ...(!IN_SHORT.includes(how) && { long: true }),
  };
}

async function question(context: AttackContext, path: string): Promise<string> {
  try {
    const { status } = await ask(context.environment.url, path, { limitMs: LIMIT_MS });
    // A redirect or a body that is cut short is no usable response; one that is too long may be.
    if (![200, 404, 502, 503].includes(status)) context.fail(`${path}: ${status}`);
    return String(status);
  } catch (error) {
    context.fail(`${path}: ${String(error)}`);
    return 'nothing';
  }
}

export const relays: readonly Attack[] = HOSTILITIES.map(against);

import type { Attack, AttackContext } from '../attack.js';
import { HOSTILITIES, type Hostility } from '../hostile-upstream.js';
import { ask } from '../requests.js';

/** A load ends after eight seconds at the latest, and its clients are told. */
const LIMIT_MS = 10_000;
const AT_ONCE = 40;
const IN_SHORT: readonly Hostility[] = ['silent', 'endless', 'bomb', 'reset', 'faults'];

/** Of every route that relays, different questions, so that none shares another's answer. */
function path(index: number): string {
  const degrees = (index / 1_000).toFixed(3);
  const paths = [
    `/weather/search?q=place${index}`,
    `/weather/current?lat=${degrees}&lon=10`,
    `/sg/bus-arrivals?code=${String(10_000 + (index % 90_000))}`,
    `/detect/location?lat=${degrees}&lon=20`,
    `/translate/text?to=it&text=hello%20${index}`,
  ];
  return paths[index % paths.length] ?? '/';
}

let next = 0;

function against(how: Hostility): Attack {
  return {
    name: `upstream: ${how}`,
    async run(context) {
      context.environment.upstream.behave(how);
      const statuses = new Map<string, number>();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          const status = await question(context);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }),
      );
      const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
      return `${AT_ONCE} relayed requests at once while every upstream is ${how}: ${counts}`;
    },
    ...(!IN_SHORT.includes(how) && { long: true }),
  };
}

async function question(context: AttackContext): Promise<string> {
  const asked = path(next++);
  try {
    const { status } = await ask(context.environment.url, asked, { limitMs: LIMIT_MS });
    // A redirect or a body that is cut short is no usable response; one that is too long may be.
    if (![200, 404, 429, 502, 503].includes(status)) context.fail(`${asked}: ${status}`);
    return String(status);
  } catch (error) {
    context.fail(`${asked}: ${String(error)}`);
    return 'nothing';
  }
}

export const relays: readonly Attack[] = HOSTILITIES.map(against);

import { type CalendarDate, daysBetween } from '../domain/dates.js';
import type { Listening } from '../process/lifecycle.js';

export function greeting(
  { url, newest }: Listening,
  { today, isReading, loginUrl }: { today: CalendarDate; isReading: boolean; loginUrl: string | undefined },
): string {
  const rates = newest === undefined ? 'There are no rates yet.' : ageOf(newest, today);
  const reading = isReading ? 'The banks are being read.' : 'Reading the banks is off (SCHEDULE=off).';
  const login = loginUrl === undefined ? '' : `Set the operators' token within an hour: ${loginUrl}\n`;
  return `${rates} ${reading}
${login}The reference is at ${url}/docs. Press Ctrl-C to stop.
Almanac listens on ${url}
`;
}

function ageOf(newest: CalendarDate, today: CalendarDate): string {
  const days = daysBetween(newest, today);
  // A bank may publish a day ahead.
  if (days <= 0) return `The newest rates are of ${newest}.`;
  return `The newest rates are of ${newest}, ${days} ${days === 1 ? 'day' : 'days'} old.`;
}

import type * as z from 'zod';
import type { busReply } from './schema.js';

type Arrival = NonNullable<z.output<typeof busReply>['services'][number]['next']>;

/** Due at an instant in milliseconds since 1970. */
export type Bus = Omit<Arrival, 'eta' | 'durationMs'> & { dueAt: number };

interface GivenBus {
  time: string;
  load?: Bus['load'] | '' | undefined;
  type?: Bus['type'] | '' | undefined;
  feature?: Bus['feature'] | '' | undefined;
  destination?: string | null | undefined;
  monitored?: number | null | undefined;
}

export function busOf({ time, load, type, feature, destination, monitored }: GivenBus): Bus {
  return {
    dueAt: Date.parse(time),
    load: load || null,
    type: type || null,
    feature: feature || null,
    destinationCode: destination && /^\d{5}$/.test(destination) ? destination : null,
    tracked: monitored == null ? null : monitored === 1,
  };
}

/** Null for a missing bus. */
export interface Service {
  serviceNo: string;
  buses: readonly [Bus | null, Bus | null, Bus | null];
}

/** At one stop; the busiest has some forty. */
export const MOST_SERVICES = 200;

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** In natural order: 2, 10, 10A. */
const natural = new Intl.Collator('en', { numeric: true });

/** The responses for services at an instant, sorted, so that a cached copy still counts down. */
export function presentServices(services: readonly Service[], now: number) {
  const sorted = services.toSorted((one, other) => natural.compare(one.serviceNo, other.serviceNo));
  return sorted.map(({ serviceNo, buses }) => {
    const [next = null, subsequent = null, subsequent2 = null] = buses.map((bus) => presentBus(bus, now));
    return { serviceNo, next, subsequent, subsequent2 };
  });
}

function presentBus(bus: Bus | null, now: number) {
  if (!bus) return null;
  const durationMs = Math.max(0, bus.dueAt - now);
  const { load, type, feature, destinationCode, tracked } = bus;
  return { eta: eta(durationMs), durationMs, load, type, feature, destinationCode, tracked };
}

/** Formats a duration: "4 minutes", "1 minute", "45 seconds", "Arriving" below one second. */
export function eta(durationMs: number): string {
  const minutes = Math.floor(durationMs / MINUTE_MS);
  if (minutes > 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const seconds = Math.floor(durationMs / SECOND_MS);
  if (seconds > 0) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return 'Arriving';
}

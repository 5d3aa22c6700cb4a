import * as z from 'zod';

export const loads = ['SEA', 'SDA', 'LSD'] as const;
export const vehicleTypes = ['SD', 'DD', 'BD'] as const;

export const busQuery = z.object({
  code: z
    .string()
    .regex(/^[0-9]{5}$/, { error: 'code must be 5 digits, such as 83139' })
    .meta({ description: 'Bus stop code', example: '83139' }),
});

const arrival = z
  .object({
    eta: z.string().meta({ description: '"4 minutes", "1 minute", "45 seconds", or "Arriving"' }),
    durationMs: z.number().int().min(0),
    load: z.enum(loads).nullable().meta({
      description: 'SEA: seats, SDA: standing room, LSD: limited standing room; null if unknown',
    }),
    type: z
      .enum(vehicleTypes)
      .nullable()
      .meta({ description: 'SD: single deck, DD: double deck, BD: bendy; null if unknown' }),
    feature: z.enum(['WAB']).nullable().meta({ description: 'WAB: wheelchair accessible' }),
    destinationCode: z.string().nullable().meta({ description: 'Its last stop', example: '77009' }),
    tracked: z
      .boolean()
      .nullable()
      .meta({ description: 'Estimated from the position of the bus (true) or its timetable (false)' }),
  })
  .nullable()
  .meta({ description: 'Null if there is no such bus' });

export const busReply = z
  .object({
    success: z.literal(true),
    stopCode: z.string(),
    fetchedAt: z.iso.datetime().meta({ description: 'When the data was fetched' }),
    services: z.array(
      z.object({ serviceNo: z.string(), next: arrival, subsequent: arrival, subsequent2: arrival }),
    ),
  })
  .meta({ id: 'BusArrivals' });

export const busExample: z.infer<typeof busReply> = {
  success: true,
  stopCode: '83139',
  fetchedAt: '2026-09-30T06:15:02.118Z',
  services: [
    {
      serviceNo: '15',
      next: {
        eta: '4 minutes',
        durationMs: 269882,
        load: 'SEA',
        type: 'SD',
        feature: 'WAB',
        destinationCode: '77009',
        tracked: true,
      },
      subsequent: {
        eta: '17 minutes',
        durationMs: 1031882,
        load: 'SDA',
        type: 'DD',
        feature: 'WAB',
        destinationCode: '77009',
        tracked: true,
      },
      subsequent2: null,
    },
  ],
};

type Arrival = NonNullable<z.output<typeof arrival>>;

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
/** Sorts 2, 10, 10A in this order. */
const natural = new Intl.Collator('en', { numeric: true });

/** Presents services in order, as of the instant of the request, so that a cached copy still counts down. */
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

import * as z from 'zod';

const loads = ['SEA', 'SDA', 'LSD'] as const;
const vehicleTypes = ['SD', 'DD', 'BD'] as const;

export const busQuery = z.object({
  code: z
    .string()
    .regex(/^[0-9]{5}$/, { error: 'code must be 5 digits, such as 83139' })
    .meta({ description: 'Bus stop code', example: '83139' }),
});

const arrival = z
  .object({
    eta: z.string().meta({
      description: '"4 minutes", "1 minute", "45 seconds", or "Arriving"',
      example: '4 minutes',
    }),
    durationMs: z.number().int().min(0).meta({ example: 269_882 }),
    load: z.enum(loads).nullable().meta({
      description: 'SEA: seats, SDA: standing room, LSD: limited standing room; null if unknown',
    }),
    type: z
      .enum(vehicleTypes)
      .nullable()
      .meta({ description: 'SD: single deck, DD: double deck, BD: bendy; null if unknown' }),
    feature: z.enum(['WAB']).nullable().meta({ description: 'WAB: wheelchair accessible' }),
    destinationCode: z.string().nullable().meta({ description: 'Its last stop', example: '77009' }),
    tracked: z.boolean().nullable().meta({
      description: 'Estimated from the position of the bus (true) or its timetable (false)',
      example: true,
    }),
  })
  .nullable()
  .meta({ description: 'Null if there is no such bus' });

export const busReply = z
  .object({
    success: z.literal(true),
    stopCode: z.string().meta({ example: '83139' }),
    fetchedAt: z.iso.datetime().meta({
      description: 'When the data was fetched',
      example: '2026-09-30T06:15:02.118Z',
    }),
    services: z.array(
      z.object({
        serviceNo: z.string().meta({ example: '15' }),
        ...{ next: arrival, subsequent: arrival, subsequent2: arrival },
      }),
    ),
  })
  .meta({ id: 'BusArrivals' });

/** A bus in the form of arrivelah, due at an instant in milliseconds since 1970; null if there is none. */
export const givenBus = z
  .object({
    time: z.iso.datetime({ offset: true }),
    load: z.enum([...loads, '']).nullish(),
    type: z.enum([...vehicleTypes, '']).nullish(),
    feature: z.enum(['WAB', '']).nullish(),
    destination_code: z.string().nullish(),
    monitored: z.number().nullish(),
  })
  .transform(({ time, load, type, feature, destination_code, monitored }) => ({
    dueAt: Date.parse(time),
    load: load || null,
    type: type || null,
    feature: feature || null,
    destinationCode: destination_code && /^\d{5}$/.test(destination_code) ? destination_code : null,
    tracked: monitored == null ? null : monitored === 1,
  }))
  .nullish()
  .transform((bus) => bus ?? null);

type Bus = z.output<typeof givenBus>;

export interface Service {
  serviceNo: string;
  buses: readonly [Bus, Bus, Bus];
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

function presentBus(bus: Bus, now: number) {
  if (!bus) return null;
  const { dueAt, ...rest } = bus;
  const durationMs = Math.max(0, dueAt - now);
  return { eta: eta(durationMs), durationMs, ...rest };
}

/** Formats a duration: "4 minutes", "1 minute", "45 seconds", "Arriving" below one second. */
export function eta(durationMs: number): string {
  const minutes = Math.floor(durationMs / MINUTE_MS);
  if (minutes > 0) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const seconds = Math.floor(durationMs / SECOND_MS);
  if (seconds > 0) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return 'Arriving';
}

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

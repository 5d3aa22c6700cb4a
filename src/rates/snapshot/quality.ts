import * as z from 'zod';

/** The reliability of a blended rate: the facts about its sources, or that it is a peg. */
export const qualitySchema = z
  .union([
    z.object({
      sources: z.int().meta({ description: 'Number of sources' }),
      excluded: z.int().meta({ description: 'Number of sources excluded as outliers' }),
      spread: z.number().meta({
        description:
          'Difference between the highest and the lowest rate in the blend, relative to the blended rate',
      }),
      age_days: z.int().meta({ description: 'Days from the newest observation to the requested day' }),
      suspects: z.int().meta({ description: 'Number of rates held back as suspect' }),
    }),
    z.object({ peg: z.literal(true) }),
  ])
  .meta({ description: 'Only with expand=quality' });

export type Quality = z.output<typeof qualitySchema>;

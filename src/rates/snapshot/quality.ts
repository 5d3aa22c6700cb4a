import { z } from 'zod';

/** The reliability of a blended rate: the facts about its sources, or that it is a peg. */
export const qualitySchema = z
  .union([
    z.object({
      sources: z.int().meta({ description: 'Number of sources' }),
      excluded: z.int().meta({ description: 'Number of them that were left out as outliers' }),
      spread: z.number().meta({ description: 'Highest minus lowest rate that counted, divided by the rate' }),
      age_days: z.int().meta({ description: 'Days from the newest observation to the day requested' }),
      suspects: z.int().meta({ description: 'Number of rates held back as suspect' }),
    }),
    z.object({ peg: z.literal(true) }),
  ])
  .meta({ description: 'Only with expand=quality' });

export type Quality = z.output<typeof qualitySchema>;

import { z } from 'zod';

export const outcomesQuery = z.looseObject({
  hours: z.int().min(1).max(720).default(24).describe('Number of hours, including the current one.'),
});

export const outcomeHour = z.object({
  hour: z.string(),
  sent: z.number().int(),
  outcomes: z.array(
    z.object({
      outcome: z.string(),
      reason: z.string(),
      category: z.string(),
      quantity: z.number().int(),
    }),
  ),
});
export type OutcomeHourView = z.infer<typeof outcomeHour>;

import { z } from 'zod';

export const outcomesQuery = z.looseObject({
  hours: z.int().min(1).max(720).default(24).describe('Number of hours, including the current one.'),
});

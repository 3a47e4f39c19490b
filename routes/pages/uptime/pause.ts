import { z } from 'zod';
import { momentText } from '../../../src/core/reading/moments.ts';
import { dayMs, hourMs } from '../../../src/core/reading/spans.ts';
import type { Visit } from '../../../src/core/workspace/visit.ts';

const lengthsMs = { '1h': hourMs, '24h': dayMs, ever: null } as const;

export const pauseForm = z.object({ for: z.enum(['1h', '24h', 'ever'], 'Choose how long to pause.') });

export function pausedFor(
  { nowMs }: Pick<Visit, 'nowMs'>,
  form: z.infer<typeof pauseForm>,
): { readonly paused: true; readonly paused_until?: string } {
  const lengthMs = lengthsMs[form.for];
  return { paused: true, ...(lengthMs === null ? {} : { paused_until: momentText(nowMs + lengthMs) }) };
}

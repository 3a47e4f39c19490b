import { z } from 'zod';
import type { RequestContext } from '../../../src/core/page-models/request-context.ts';
import { dayMs, hourMs } from '../../../src/core/parsing/durations.ts';
import { formatTime } from '../../../src/core/parsing/timestamps.ts';

const lengthsMs = { '1h': hourMs, '24h': dayMs, ever: null } as const;

export const pauseForm = z.object({ for: z.enum(['1h', '24h', 'ever'], 'Choose how long to pause.') });

export function toPauseChange(
  { nowMs }: Pick<RequestContext, 'nowMs'>,
  form: z.infer<typeof pauseForm>,
): { readonly paused: true; readonly paused_until?: string } {
  const lengthMs = lengthsMs[form.for];
  return { paused: true, ...(lengthMs === null ? {} : { paused_until: formatTime(nowMs + lengthMs) }) };
}

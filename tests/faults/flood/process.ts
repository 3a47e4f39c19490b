// The flood as a process of its own: its memory and its processor are not those of whoever asks for it.
import type { FloodJob } from './job.ts';
import { flood } from './load.ts';

process.on('message', (job: FloodJob) => {
  flood(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});
process.once('disconnect', () => process.exit());

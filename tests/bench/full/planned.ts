// How long a run will take, and how far it is: one line each on the error stream.
import { performance } from 'node:perf_hooks';

export interface Plan {
  progress(text: string, seconds?: number): void;
}

/** Time runs differently from machine to machine: what was slower so far is taken to go on so. */
export function planOf(totalSeconds: number, write: (text: string) => void): Plan {
  const startedMs = performance.now();
  let doneSeconds = 0;
  return {
    progress(text, seconds = 0) {
      doneSeconds += seconds;
      write(`${farness((performance.now() - startedMs) / 1000, doneSeconds, totalSeconds)}  ${text}`);
    },
  };
}

/** Such as ` 34 %, 6 min left`. */
export function farness(tookSeconds: number, doneSeconds: number, totalSeconds: number): string {
  const share = totalSeconds > 0 ? Math.min(1, doneSeconds / totalSeconds) : 1;
  const slowness = doneSeconds > 0 ? tookSeconds / doneSeconds : 1;
  const left = (totalSeconds - doneSeconds) * Math.max(1, slowness);
  return `${Math.floor(share * 100)
    .toString()
    .padStart(3)} %, ${minutesText(left)} left`;
}

/** Such as `40 s` or `6 min`. */
export function minutesText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

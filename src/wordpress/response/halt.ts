// How a route's function ends the answer on the spot, as PHP's exit and WordPress's wp_die do.
import type { Death } from './die-page.ts';

/**
 * Thrown by a route's function. `die` stops with a page or body that says why; `with` sends what it is given
 * with the headers set so far: no `Allow`, no CORS, nothing that WordPress adds to an answer.
 */
export class Halt {
  readonly death: Death | null;
  readonly status: number;
  readonly body: string;
  /** Null leaves the type that was already set. */
  readonly contentType: string | null;

  private constructor(death: Death | null, status: number, body: string, contentType: string | null) {
    this.death = death;
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }

  static die(death: Death): Halt {
    return new Halt(death, death.status, '', null);
  }

  static with(status: number, body: string, contentType: string | null = null): Halt {
    return new Halt(null, status, body, contentType);
  }
}

import type { Death } from './die-page.ts';

/** Thrown by a handler. `die` is wp_die; `with` sends a body without `Allow`, CORS and the like. */
export class Halt {
  readonly death: Death | null;
  readonly status: number;
  readonly body: string;
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

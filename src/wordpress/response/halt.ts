import type { DieArguments } from './wp-die.ts';

/** Thrown by a handler. `die` is wp_die; `with` sends a body without `Allow`, CORS and the like. */
export class Halt {
  readonly death: DieArguments | null;
  readonly status: number;
  readonly body: string;
  readonly contentType: string | null;

  private constructor(death: DieArguments | null, status: number, body: string, contentType: string | null) {
    this.death = death;
    this.status = status;
    this.body = body;
    this.contentType = contentType;
  }

  static die(death: DieArguments): Halt {
    return new Halt(death, death.status, '', null);
  }

  static with(status: number, body: string, contentType: string | null = null): Halt {
    return new Halt(null, status, body, contentType);
  }
}

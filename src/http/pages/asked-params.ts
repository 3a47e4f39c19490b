// The parameters of an address as pages ask for them.

/** Parameters that know which of them nobody has asked for: those change nothing of what is shown. */
export class AskedParams extends URLSearchParams {
  readonly #asked = new Set<string>();

  override get(name: string): string | null {
    this.#asked.add(name);
    return super.get(name);
  }

  override getAll(name: string): string[] {
    this.#asked.add(name);
    return super.getAll(name);
  }

  override has(name: string, value?: string): boolean {
    this.#asked.add(name);
    return value === undefined ? super.has(name) : super.has(name, value);
  }

  /** Whether there is one that nobody has asked for so far. */
  hasUnknown(): boolean {
    return [...this.keys()].some((name) => !this.#asked.has(name));
  }
}

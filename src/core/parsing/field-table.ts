export interface TextRule {
  readonly charsMax: number;
  /** Cuts a longer text, or drops the field. */
  readonly over: 'cut' | 'drop';
  readonly lenient?: boolean;
  readonly trim?: boolean;
  readonly forbidden?: RegExp;
}

type Read<Reader> = (fields: Reader, name: string) => void;

/** In the order in which fields are kept. */
export interface FieldTable<Reader> {
  readonly names: readonly string[];
  readonly reads: ReadonlyArray<Read<Reader>>;
  readonly places: ReadonlyMap<string, number>;
}

/** Only sent fields are visited. At most 31 fields; names that are read alike are separated by spaces. */
export function createFieldTable<Reader>(
  rows: ReadonlyArray<readonly [names: string, read: Read<Reader>]>,
): FieldTable<Reader> {
  const fields = rows.flatMap(([names, read]) => names.split(' ').map((name) => ({ name, read })));
  return {
    names: fields.map(({ name }) => name),
    reads: fields.map(({ read }) => read),
    places: new Map(fields.map(({ name }, place) => [name, place])),
  };
}

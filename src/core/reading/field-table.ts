// Which fields an object of one kind has and how each is read, so that an object is asked for the few fields
// that were sent instead of for all that may be.

/** How a text is read. */
export interface TextRule {
  /** Code points. */
  readonly charsMax: number;
  /** What happens to text over the limit: its beginning is kept, or the field is set aside. */
  readonly over: 'cut' | 'drop';
  /** Numbers and booleans are taken as text too. */
  readonly lenient?: boolean;
  readonly trim?: boolean;
  /** Text that matches is set aside. */
  readonly forbidden?: RegExp;
}

type Read<Reader> = (fields: Reader, name: string) => void;

/** What is done with each field, in the order in which the fields are kept. */
export interface FieldTable<Reader> {
  readonly names: readonly string[];
  readonly reads: ReadonlyArray<Read<Reader>>;
  readonly places: ReadonlyMap<string, number>;
}

/** A table of at most 31 fields; those that are read alike are named together, with blanks between. */
export function fieldTable<Reader>(
  rows: ReadonlyArray<readonly [names: string, read: Read<Reader>]>,
): FieldTable<Reader> {
  const fields = rows.flatMap(([names, read]) => names.split(' ').map((name) => ({ name, read })));
  return {
    names: fields.map(({ name }) => name),
    reads: fields.map(({ read }) => read),
    places: new Map(fields.map(({ name }, place) => [name, place])),
  };
}

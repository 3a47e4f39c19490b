// Each table is described once and its SQL made from that; tests/data/table.test.ts compares the schema.
import type { Query, RowStatement, SqlType, SqlValue } from './db.ts';
import { chunkRows } from './value-lists.ts';

/** What a column holds: `ValueInText` in the program, a `SqlValue` in the database. */
export interface Column<Value> {
  readonly type: SqlType;
  /** The column's name, where it is not the member's in snake case. */
  readonly name?: string;
  readonly isNullable?: boolean;
  encode?(value: Value): SqlValue;
  decode?(stored: SqlValue): Value;
  /** Used by the types alone. */
  readonly value?: Value;
}

/** A column that no INSERT names: the database numbers it, or it begins with its DEFAULT or NULL. */
export interface DefaultedColumn<Value> extends Column<Value> {
  readonly isDefaulted: true;
}

export const integer: Column<number> = { type: 'bigint' };
export const double: Column<number> = { type: 'double precision' };
export const text: Column<string> = { type: 'text' };
export const bytes: Column<Uint8Array> = { type: 'bytea' };
export const flag: Column<boolean> = { type: 'bigint', encode: Number, decode: (stored) => stored === 1 };

export function oneOf<Value extends string>(): Column<Value> {
  return { type: 'text' };
}

/** A column that takes no NULL: null is stored as `absent`, such as the empty text. */
export function absentAs<Value extends SqlValue>(absent: Value, column: Column<Value>): Column<Value | null> {
  return {
    ...(column as Column<Value | null>),
    encode: (value) => value ?? absent,
    decode: (stored) => (stored === absent ? null : (stored as Value)),
  };
}

export function json<Value>(): Column<Value> {
  return {
    type: 'text',
    encode: (value) => JSON.stringify(value),
    decode: (stored) => JSON.parse(stored as string) as Value,
  };
}

export function nullable<Value>({ encode, decode, ...column }: Column<Value>): Column<Value | null> {
  return {
    ...(column as Column<Value | null>),
    isNullable: true,
    ...(encode && { encode: (value) => (value === null ? null : encode(value)) }),
    ...(decode && { decode: (stored) => (stored === null ? null : decode(stored)) }),
  };
}

export function defaulted<Value>(column: Column<Value>): DefaultedColumn<Value> {
  return { ...column, isDefaulted: true };
}

export function named<Value>(name: string, column: Column<Value>): Column<Value> {
  return { ...column, name };
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type ValueOf<C> = C extends Column<infer Value> ? Value : never;
type Member<C> = keyof C & string;
type InsertedMember<C> = {
  [Name in Member<C>]: C[Name] extends DefaultedColumn<unknown> ? never : Name;
}[Member<C>];

type Row<C, Shown extends Member<C> = Member<C>> = { readonly [Name in Shown]: ValueOf<C[Name]> };

export type RowOf<T> = T extends Table<infer C, infer Shown> ? Row<C, Shown> : never;

/** What an INSERT takes: all columns but defaulted ones. Other members of the object are ignored. */
type Inserted<C> = Row<C, InsertedMember<C>>;

type Change<C> = { readonly [Name in Member<C>]?: ValueOf<C[Name]> | undefined };

/** What may follow the values of an INSERT. `$1`, `$2` … in the texts are `values`. */
interface InsertClause {
  /** Inserts nothing unless this holds. */
  readonly when?: string;
  /** After `ON CONFLICT`, such as `(name) DO NOTHING`. */
  readonly onConflict?: string;
  readonly values?: readonly SqlValue[];
}

/** What ON CONFLICT sets a column to, from the given row and the stored one. */
type ConflictRule =
  | 'given'
  | 'given unless null'
  | 'kept'
  | 'kept unless null'
  | 'sum'
  | 'least'
  | 'greatest'
  | `SQL: ${string}`;

/** `rules` by column; `otherwise` is for columns that it does not name. */
interface Conflict<C> {
  readonly key: ReadonlyArray<InsertedMember<C>>;
  readonly otherwise: ConflictRule;
  readonly rules?: Partial<Record<InsertedMember<C>, ConflictRule>>;
  readonly extraAssignment?: string;
}

/** Statements on one table. Rows that come out of it have the members `Shown`. */
export interface Table<C, Shown extends Member<C> = Member<C>> {
  readonly name: string;
  /** For SELECT and RETURNING. `alias` is what the statement calls the table. */
  columns(alias?: string): string;
  /** Decodes a row that `columns` selected; more of its columns are left as they are. Changes `found`. */
  rowOf<Found = unknown>(found: Found): Row<C, Shown> & Omit<Found, Shown>;
  only<Kept extends Shown>(...members: readonly Kept[]): Table<C, Kept>;
  without<Left extends Shown>(...members: readonly Left[]): Table<C, Exclude<Shown, Left>>;
  list(query: Pick<Query, 'all'>, tail: string, values?: readonly SqlValue[]): Promise<Array<Row<C, Shown>>>;
  find(query: Pick<Query, 'get'>, tail: string, values?: readonly SqlValue[]): Promise<Row<C, Shown> | null>;
  /** Answers the number of rows written. */
  insert(tx: Pick<Query, 'run'>, row: Inserted<C>, clause?: InsertClause): Promise<number>;
  insertMany(tx: Pick<Query, 'run'>, rows: ReadonlyArray<Inserted<C>>, onConflict?: string): Promise<void>;
  insertReturning(tx: Pick<Query, 'get'>, row: Inserted<C>): Promise<Row<C, Shown>>;
  /** Null where nothing was written. */
  insertReturning(
    tx: Pick<Query, 'get'>,
    row: Inserted<C>,
    clause: InsertClause,
  ): Promise<Row<C, Shown> | null>;
  /** For `InsertClause.onConflict`: what becomes of each column of the row that is there. */
  mergeOn(conflict: Conflict<C>): string;
  /** Sets what `change` names and is not undefined; returns the number of rows that matched. */
  update(tx: Pick<Query, 'run'>, change: Change<C>, where: UpdateWhere): Promise<number>;
  /** The first row, as it is now. */
  updateReturning(
    tx: Pick<Query, 'get'>,
    change: Change<C>,
    where: UpdateWhere,
  ): Promise<Row<C, Shown> | null>;
  /** The first deleted row, as it was. `where` begins with WHERE. */
  deleteReturning(
    tx: Pick<Query, 'get'>,
    where: string,
    values: readonly SqlValue[],
  ): Promise<Row<C, Shown> | null>;
  /** An INSERT for `Transaction.allMany`, whose rows `valuesOf` makes. */
  insertStatement(tail?: string): RowStatement;
  valuesOf(row: Inserted<C>): SqlValue[];
}

/** Which rows an UPDATE changes: `$1`, `$2` … are `values`. */
interface UpdateWhere {
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly extraAssignment?: string;
}

/** Describes a table once: its columns, by the names of a row's members. */
export function tableOf<C extends Columns>(name: string, columns: C): Table<C> {
  const known = Object.entries(columns).map(([member, column]) => ({
    ...column,
    member,
    name: column.name ?? snakeCase(member),
    isDefaulted: 'isDefaulted' in column,
  }));
  tableOf.described.set(name, known);
  return statementsOf(name, known, known) as unknown as Table<C>;
}

/** What was described so far, for the test that compares it with the schema. */
tableOf.described = new Map<string, readonly KnownColumn[]>();

interface KnownColumn extends Column<unknown> {
  readonly member: string;
  readonly name: string;
  readonly isDefaulted: boolean;
}

type AnyRow = Record<string, unknown>;

function statementsOf(table: string, known: readonly KnownColumn[], shown: readonly KnownColumn[]) {
  const decoded = shown.filter((column) => column.decode !== undefined);
  const selected = selectOf(shown, '');
  const { insertOf, updateOf, ...writing } = writesOf(table, known);
  const rowOf = (found: unknown): AnyRow => {
    const row = found as AnyRow;
    for (const { member, decode } of decoded) row[member] = decode?.(row[member] as SqlValue);
    return row;
  };
  const rowOrNull = (found: unknown): AnyRow | null => (found === undefined ? null : rowOf(found));
  return {
    name: table,
    columns: (alias?: string) => (alias === undefined ? selected : selectOf(shown, `${alias}.`)),
    rowOf,
    only: (...members: string[]) =>
      statementsOf(
        table,
        known,
        shown.filter(({ member }) => members.includes(member)),
      ),
    without: (...members: string[]) =>
      statementsOf(
        table,
        known,
        shown.filter(({ member }) => !members.includes(member)),
      ),
    list: async (query: Query, tail: string, values?: readonly SqlValue[]) =>
      (await query.all(`SELECT ${selected} FROM ${table} ${tail}`, values)).map(rowOf),
    find: async (query: Query, tail: string, values?: readonly SqlValue[]) =>
      rowOrNull(await query.get(`SELECT ${selected} FROM ${table} ${tail}`, values)),
    ...writing,
    insert: async (tx: Query, row: AnyRow, clause: InsertClause = {}) =>
      (await tx.run(...insertOf([row], clause))).changes,
    async insertReturning(tx: Query, row: AnyRow, clause?: InsertClause) {
      const [sql, values] = insertOf([row], clause ?? {});
      const found = await tx.get(`${sql} RETURNING ${selected}`, values);
      if (found === undefined && clause === undefined) throw new Error(`No new row of ${table}.`);
      return rowOrNull(found);
    },
    update: async (tx: Query, change: AnyRow, where: UpdateWhere) =>
      (await tx.run(...updateOf(change, where))).changes,
    async updateReturning(tx: Query, change: AnyRow, where: UpdateWhere) {
      const [sql, values] = updateOf(change, where);
      return rowOrNull(await tx.get(`${sql} RETURNING ${selected}`, values));
    },
    deleteReturning: async (tx: Query, where: string, values: readonly SqlValue[]) =>
      rowOrNull(await tx.get(`DELETE FROM ${table} ${where} RETURNING ${selected}`, values)),
  };
}

type Statement = [sql: string, values: SqlValue[]];

function writesOf(table: string, known: readonly KnownColumn[]) {
  const inserted = known.filter((column) => !column.isDefaulted);
  const into = `INSERT INTO ${table} (${inserted.map(({ name }) => name).join(', ')})`;
  // A plain loop: the batch insert of events calls this for every row.
  const valuesOf = (row: AnyRow): SqlValue[] => {
    const values: SqlValue[] = [];
    for (const { member, encode } of inserted) {
      values.push(encode === undefined ? (row[member] as SqlValue) : encode(row[member]));
    }
    return values;
  };
  const insertOf = (rows: readonly AnyRow[], { when, onConflict, values = [] }: InsertClause): Statement => {
    let next = values.length;
    const tuples = rows.map(() =>
      inserted.map(({ type }) => {
        next += 1;
        // PostgreSQL takes the type of a parameter from the column in VALUES, and in no SELECT.
        return when === undefined || type === 'text' ? `$${next}` : `CAST($${next} AS ${type})`;
      }),
    );
    const rowSource =
      when === undefined
        ? `VALUES ${tuples.map((tuple) => `(${tuple.join(', ')})`).join(', ')}`
        : `SELECT ${tuples.join(', ')} WHERE ${when}`;
    const conflict = onConflict === undefined ? '' : ` ON CONFLICT ${onConflict}`;
    return [`${into} ${rowSource}${conflict}`, [...values, ...rows.flatMap(valuesOf)]];
  };
  return {
    valuesOf,
    insertOf,
    async insertMany(tx: Query, rows: readonly AnyRow[], onConflict?: string) {
      for (const portion of chunkRows(rows)) {
        await tx.run(...insertOf(portion, onConflict === undefined ? {} : { onConflict }));
      }
    },
    insertStatement: (tail = ''): RowStatement => ({
      sql: `${into} VALUES (${inserted.map((_column, at) => `$${at + 1}`).join(', ')}) ${tail}`,
      types: inserted.map(({ type }) => type),
    }),
    updateOf: (change: AnyRow, where: UpdateWhere) => updateOf(table, known, change, where),
    mergeOn({
      key,
      otherwise,
      rules = {},
      extraAssignment,
    }: Conflict<Record<string, Column<unknown>>>): string {
      const keys = inserted.filter(({ member }) => key.includes(member)).map(({ name }) => name);
      const sets = inserted.flatMap(({ member, name }) => {
        const rule = key.includes(member) ? 'kept' : (rules[member] ?? otherwise);
        return rule === 'kept'
          ? []
          : [`${name} = ${mergedValue(rule, `excluded.${name}`, `${table}.${name}`)}`];
      });
      if (extraAssignment !== undefined) sets.push(extraAssignment);
      return `(${keys.join(', ')}) DO UPDATE SET ${sets.join(', ')}`;
    },
  };
}

function updateOf(
  table: string,
  known: readonly KnownColumn[],
  change: AnyRow,
  { where, values, extraAssignment }: UpdateWhere,
): Statement {
  const set = known.filter(({ member }) => change[member] !== undefined);
  const sets = set.map(({ name }, at) => `${name} = $${values.length + at + 1}`);
  if (extraAssignment !== undefined) sets.push(extraAssignment);
  // An UPDATE sets something at least.
  if (sets.length === 0) sets.push(`${known.at(-1)?.name} = ${known.at(-1)?.name}`);
  return [
    `UPDATE ${table} SET ${sets.join(', ')} WHERE ${where}`,
    [...values, ...set.map((column) => encoded(column, change[column.member]))],
  ];
}

function mergedValue(rule: Exclude<ConflictRule, 'kept'>, incoming: string, existing: string): string {
  switch (rule) {
    case 'given':
      return incoming;
    case 'given unless null':
      return `COALESCE(${incoming}, ${existing})`;
    case 'kept unless null':
      return `COALESCE(${existing}, ${incoming})`;
    case 'sum':
      return `${existing} + ${incoming}`;
    case 'least':
      return `CASE WHEN ${incoming} < ${existing} THEN ${incoming} ELSE ${existing} END`;
    case 'greatest':
      return `CASE WHEN ${incoming} > ${existing} THEN ${incoming} ELSE ${existing} END`;
    default:
      return rule.slice('SQL: '.length);
  }
}

function encoded({ encode }: KnownColumn, value: unknown): SqlValue {
  return encode === undefined ? (value as SqlValue) : encode(value);
}

function selectOf(columns: readonly KnownColumn[], prefix: string): string {
  return columns
    .map(({ member, name }) => (member === name ? `${prefix}${name}` : `${prefix}${name} AS "${member}"`))
    .join(', ');
}

function snakeCase(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Condition and values for rows of a project, or of the workspace where it is null. */
export function ownerCondition(projectId: number | null): {
  readonly sql: string;
  readonly values: SqlValue[];
} {
  return projectId === null
    ? { sql: 'project_id IS NULL', values: [] }
    : { sql: 'project_id = $1', values: [projectId] };
}

/** Deletes at most `rowsMax` rows and answers how many. `key`: the columns of a key, with commas between. */
export async function deleteRows(
  tx: Pick<Query, 'run'>,
  { table, key, rowsMax }: { readonly table: string; readonly key: string; readonly rowsMax: number },
  { where, values }: UpdateWhere,
): Promise<number> {
  const rows = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT $${values.length + 1}`;
  return (await tx.run(`DELETE FROM ${table} WHERE (${key}) IN (${rows})`, [...values, rowsMax])).changes;
}

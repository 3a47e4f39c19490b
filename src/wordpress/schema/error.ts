export class SchemaError {
  readonly code: string;
  readonly message: string;
  readonly data: SchemaErrorData;
  constructor(code: string, message: string, data: SchemaErrorData = null) {
    this.code = code;
    this.message = message;
    this.data = data;
  }
}

export type SchemaErrorData =
  | null
  | { readonly param: string }
  | { readonly position: number }
  | { readonly positions: number[] };

export function invalidType(param: string, types: string): SchemaError {
  return new SchemaError('rest_invalid_type', `${param} is not of type ${types}.`, { param });
}

/** `1 character`, `8,192 characters`. */
export function formatCount(count: number, singular: string, plural: string): string {
  const digits = Math.round(Math.abs(count)).toFixed(0);
  const grouped = digits.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
  return `${count < 0 && digits !== '0' ? '-' : ''}${grouped} ${Math.trunc(count) === 1 ? singular : plural}`;
}

/** `A`, `A and B`, `A, B, and C`. */
export function joinList(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}

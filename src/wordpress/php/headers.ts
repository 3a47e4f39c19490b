import { encodePhpString } from './strings.ts';

/** Response headers in PHP's order; setting a header again moves it to the end, as header() does. */
export class PhpHeaders {
  /** Whether all values are ASCII; others must not be written together with a UTF-8 body. */
  isAscii = true;
  /** Three parallel arrays: with a dozen headers faster than a Map. */
  private readonly names: string[] = [];
  private readonly lowerNames: string[] = [];
  private readonly values: string[] = [];
  private isPlain = true;

  constructor(entries: ReadonlyArray<readonly [string, string]> = []) {
    for (const [name, value] of entries) {
      this.push(name, name.toLowerCase(), value);
      this.isPlain &&= ascii.test(value);
    }
  }

  /** Replaces all headers of that name (case-insensitive). Whitespace and line ends become single spaces. */
  set(name: string, value: string): void {
    this.remove(name);
    this.add(name, value);
  }

  add(name: string, value: string): void {
    const lower = name.toLowerCase();
    const isPlain = ascii.test(value);
    const text = isPlain && !value.includes('  ') && !value.endsWith(' ') ? value : oneLine(value);
    if (!isPlain && !ascii.test(text)) {
      this.isAscii = false;
      this.isPlain = false;
    }
    this.push(name, lower, lower === 'content-type' ? withCharset(text) : text);
  }

  remove(name: string): void {
    const lower = name.toLowerCase();
    for (let index = this.lowerNames.lastIndexOf(lower); index >= 0; ) {
      this.names.splice(index, 1);
      this.lowerNames.splice(index, 1);
      this.values.splice(index, 1);
      index = this.lowerNames.lastIndexOf(lower);
    }
  }

  /** A flat list for writeHead, Content-Type first, as web servers send it; values as byte strings. */
  flat(): string[] {
    const { names, lowerNames, values } = this;
    const first: string[] = [];
    const rest: string[] = [];
    for (let index = 0; index < names.length; index += 1) {
      const value = values[index] as string;
      const target = lowerNames[index] === 'content-type' ? first : rest;
      target.push(names[index] as string, this.isPlain ? value : byteString(value));
    }
    return first.length === 0 ? rest : first.concat(rest);
  }

  private push(name: string, lower: string, value: string): void {
    this.names.push(name);
    this.lowerNames.push(lower);
    this.values.push(value);
  }
}

const ascii = /^[\x20-\x7e]*$/;

function oneLine(value: string): string {
  return value.replace(/\s+/g, ' ').trimEnd();
}

/** Node writes header values as Latin-1, so each byte of the UTF-8 text becomes one character. */
function byteString(value: string): string {
  if (ascii.test(value)) return value;
  return Buffer.from(encodePhpString(value))
    .toString('latin1')
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '');
}

/** PHP appends its default charset to text types without one. */
function withCharset(type: string): string {
  return /^text\//i.test(type) && !/charset=/i.test(type) ? `${type};charset=UTF-8` : type;
}

// The headers of an answer in the order PHP would send them. Which headers there are is not decided here.
import { bytesFromText } from './text.ts';

/** Headers in order; setting one again moves it to the end, as PHP's header() does. */
export class PhpHeaders {
  /** Whether every value is ASCII: others must not be written in one piece with a UTF-8 body. */
  isAscii = true;
  /** Three lists side by side: an answer has a dozen headers, and each is looked for by its name. */
  private readonly names: string[] = [];
  private readonly lowerNames: string[] = [];
  private readonly values: string[] = [];
  /** Whether the values can be written as they are. */
  private isPlain = true;

  constructor(entries: ReadonlyArray<readonly [string, string]> = []) {
    for (const [name, value] of entries) {
      this.push(name, name.toLowerCase(), value);
      this.isPlain &&= ascii.test(value);
    }
  }

  /**
   * Sets a header, replacing every one of that name in any case. Blanks and line ends in the value become one
   * blank.
   */
  set(name: string, value: string): void {
    this.remove(name);
    this.add(name, value);
  }

  /** Adds a header beside those of the same name. */
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

  /**
   * Name, value, name, value …: Content-Type first, as a web server in front of PHP puts it; values as byte
   * strings.
   */
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

/**
 * Node writes header values as Latin-1: each character one byte of the UTF-8 text. Control characters are
 * dropped.
 */
function byteString(value: string): string {
  if (ascii.test(value)) return value;
  return Buffer.from(bytesFromText(value))
    .toString('latin1')
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '');
}

/** PHP writes its default charset behind a text type that names none. */
function withCharset(type: string): string {
  return /^text\//i.test(type) && !/charset=/i.test(type) ? `${type};charset=UTF-8` : type;
}

// The headers of an answer in the order PHP would send them. Which headers there are is not decided here.
import { bytesFromText } from './text.ts';

/** Headers in order; setting one again moves it to the end, as PHP's header() does. */
export class PhpHeaders {
  /** Whether every value is ASCII: others must not be written in one piece with a UTF-8 body. */
  isAscii = true;
  private readonly entries: Array<[string, string]>;

  constructor(entries: ReadonlyArray<readonly [string, string]> = []) {
    this.entries = entries.map(([name, value]) => [name, value]);
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
    const text = oneLine(value);
    if (!ascii.test(text)) this.isAscii = false;
    this.entries.push([name, name.toLowerCase() === 'content-type' ? withCharset(text) : text]);
  }

  remove(name: string): void {
    const lower = name.toLowerCase();
    for (let index = this.entries.length - 1; index >= 0; index -= 1) {
      if (this.entries[index]?.[0].toLowerCase() === lower) this.entries.splice(index, 1);
    }
  }

  /**
   * Name, value, name, value …: Content-Type first, as a web server in front of PHP puts it; values as byte
   * strings.
   */
  flat(): string[] {
    const first: string[] = [];
    const rest: string[] = [];
    for (const [name, value] of this.entries) {
      const target = name.toLowerCase() === 'content-type' ? first : rest;
      target.push(name, byteString(value));
    }
    return [...first, ...rest];
  }
}

const ascii = /^[\x20-\x7e]*$/;

function oneLine(value: string): string {
  return ascii.test(value) && !value.includes('  ') && !value.endsWith(' ')
    ? value
    : value.replace(/\s+/g, ' ').trimEnd();
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

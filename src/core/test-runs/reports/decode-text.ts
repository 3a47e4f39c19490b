import { TextDecoder } from 'node:util';
import { unreadableReportError } from './cases/context.ts';
import { invalidJsonError } from './json-text.ts';
import { detectUnsupportedText } from './unsupported-formats.ts';

/** Small pieces, so that each step is short. */
const pieceCharactersMax = 65_536;

/** Detects UTF-16. XML is read by its declaration, with invalid bytes replaced; all else as UTF-8, where an invalid
 * byte is a 400 in PHP's words. @throws 400 for UTF-32 and unknown encodings */
export function decodeText(write: (text: string) => void) {
  let decoder: TextDecoder | null = null;
  let head = Buffer.alloc(0);
  const pass = (bytes: Uint8Array | null): void => {
    decoder ??= (() => {
      const wide = wideEncoding(head);
      if (wide !== null) return new TextDecoder(wide);
      if (looksLikeXml(head)) return xmlDecoder(head);
      // Archives are refused by name rather than for invalid bytes.
      const isOther = detectUnsupportedText(head.toString('latin1')) !== null;
      return isOther ? new TextDecoder('latin1') : new TextDecoder('utf-8', { fatal: true });
    })();
    write(decode(decoder, bytes));
  };
  return {
    write(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; at += pieceCharactersMax) {
        const piece = bytes.subarray(at, at + pieceCharactersMax);
        if (decoder !== null) {
          pass(piece);
        } else {
          // Wait for enough bytes to detect the encoding.
          head = Buffer.concat([head, piece]);
          if (head.length >= 256) {
            pass(head);
          }
        }
      }
    },
    end(): void {
      if (decoder === null && head.length > 0) {
        pass(head);
      }
      if (decoder !== null) {
        pass(null);
      }
    },
  };
}

function decode(decoder: TextDecoder, bytes: Uint8Array | null): string {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw invalidJsonError(5);
  }
}

const firstBytes: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0x3c, 0x7b, 0x5b]);

/** XML 1.0, appendix F. */
function wideEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first = 0, second = 0, third = -1, fourth = -1] = head;
  const isLittle =
    (first === 0xff && second === 0xfe) || (firstBytes.has(first) && second === 0 && head.length > 1);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && firstBytes.has(second));
  const startsLate = first === 0 && second === 0;
  if (
    (isLittle && third === 0 && fourth === 0) ||
    (startsLate && ((third === 0xfe && fourth === 0xff) || (third === 0 && firstBytes.has(fourth))))
  ) {
    throw unreadableReportError('The report is in UTF-32, which is not read; send it as UTF-8 or UTF-16.');
  }
  return isLittle ? 'utf-16le' : isBig ? 'utf-16be' : null;
}

function looksLikeXml(head: Uint8Array): boolean {
  const withoutMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? head.subarray(3) : head;
  const first = withoutMark.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
  return first === 0x3c;
}

function xmlDecoder(head: Buffer): TextDecoder {
  const declaration = head.subarray(0, 200).toString('latin1');
  const label =
    /^[\s\u00ef\u00bb\u00bf]*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/.exec(
      declaration,
    )?.[1];
  try {
    // A declaration that is readable as bytes is not UTF-16.
    return new TextDecoder(label === undefined || /^utf-?16/i.test(label) ? 'utf-8' : label);
  } catch {
    throw unreadableReportError(`The JUnit report declares an encoding that is not known: ${label ?? ''}.`);
  }
}

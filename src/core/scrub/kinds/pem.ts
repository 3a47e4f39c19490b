// Private keys in text, whole or cut: in PEM, and as PuTTY writes them.
import { anyOf, patternOf } from './patterns.ts';

const filtered = '[Filtered]';
const pemBegin = '-----BEGIN ';
const pemEnd = '-----END ';
/** Blocks that everyone may see. */
const publicBlock = patternOf(
  '',
  '^-----BEGIN ',
  anyOf([
    '(?:NEW )?CERTIFICATE(?: REQUEST)?|TRUSTED CERTIFICATE|X509 CRL',
    '(?:RSA |EC |SSH2 )?PUBLIC KEY|(?:EC|DH|DSA) PARAMETERS',
    'PGP (?:PUBLIC KEY BLOCK|SIGNED MESSAGE|SIGNATURE|MESSAGE)',
  ]),
  '-----',
);

/**
 * From BEGIN to the end of the END line, or to the end of the text where that is missing; an end whose
 * beginning was cut off takes what stands before it along. Certificates and public keys stay.
 */
export function scrubPem(text: string, keepLines: boolean, hit: () => void): string {
  const putty = text.includes('Private-Lines: ') ? scrubPutty(text, hit) : text;
  const headless = scrubHeadless(putty, hit);
  let start = headless.indexOf(pemBegin);
  if (start === -1) return headless;
  let clean = '';
  let position = 0;
  while (start !== -1) {
    let next = start + pemBegin.length;
    if (holdsKey.test(headless.slice(start, start + 160))) {
      next = pemStop(headless, start);
      if (!publicBlock.test(headless.slice(start, start + 64))) {
        hit();
        const block = headless.slice(start, next);
        clean +=
          headless.slice(position, start) + (keepLines ? block.replaceAll(/[^\n]+/g, filtered) : filtered);
        position = next;
      }
    }
    start = headless.indexOf(pemBegin, next);
  }
  return clean + headless.slice(position);
}

/** Behind the END line of the block that begins at `start`; the end of the text where there is none. */
function pemStop(text: string, start: number): number {
  const end = text.indexOf(pemEnd, start);
  const close = end === -1 ? -1 : text.indexOf('-----', end + pemEnd.length);
  return close === -1 ? text.length : close + 5;
}

/** What begins a key, and not only speaks of one: a body, or a line of its own, follows. */
const holdsKey = /^-----BEGIN [A-Z0-9 ]{1,48}-----(?:\\[nr]|[\s\\"'+])*(?:[\w+/=]{4,}|[A-Z][\w-]{2,24}: )/;

/** `…base64-----END PRIVATE KEY-----` at the beginning of a text that was cut. */
function scrubHeadless(text: string, hit: () => void): string {
  const end = text.indexOf(pemEnd);
  const begin = text.indexOf(pemBegin);
  if (
    end <= 0 ||
    (begin !== -1 && begin < end) ||
    !/^-----END [A-Z ]{0,32}PRIVATE KEY/.test(text.slice(end, end + 64))
  ) {
    return text;
  }
  let start = end;
  while (start > 0 && /[\w+/=\r\n\\]/.test(text[start - 1] as string)) start -= 1;
  if (end - start < 16) return text;
  hit();
  return `${text.slice(0, start)}${filtered}\n${text.slice(end)}`;
}

function scrubPutty(text: string, hit: () => void): string {
  return text.replaceAll(
    /(Private-Lines: \d{1,4}\s{1,4})([\w+/=\s-]{1,16384}?)(?=\n?Private-MAC|$)/g,
    (whole, head, body: string) => {
      if (body.trim() === '') return whole;
      hit();
      return `${head}${filtered}\n`;
    },
  );
}

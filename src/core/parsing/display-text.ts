import { createInvalidParamError } from '../errors.ts';

/** Joins lines: white space and invisible characters become single spaces. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}

/** Throws 400 for what is empty in one line. */
export function requireLine(text: string, field: string): string {
  const line = toOneLine(text);
  if (line === '') throw createInvalidParamError({ [field]: `${field} must not be empty.` });
  return line;
}

/** Zero-width space: breaks link detection. */
const breakSign = '\u200b';

/** A URL or `www.` host, as mail and chat programs detect it. */
const address = /(:\/\/|\bwww\.)([^\s/?#]*)/gi;
/** Schemes without `//` that programs turn into links. */
const bareScheme = /\b(mailto|tel|sms):(?=\S)/gi;
/** A bare host by its last label: two letters or a common TLD. `main.py` too, because `.py` is Paraguay. */
const bareHost =
  /(?<=[\p{L}\p{N}])\.(?=(?:(?!js|ts|go|rb|kt)[a-z]{2}|xn--[a-z0-9-]{1,59}|com|net|org|edu|gov|mil|info|biz|name|pro|mobi|app|dev|page|web|cloud|site|website|online|store|shop|live|link|click|top|xyz|icu|vip|club|work|world|today|zip|mov|email|support|security|bank|finance)(?![\p{L}\p{N}]))/giu;

/** The @ of a mailbox; not of a release such as `shop@1.2.0`. */
const mailbox = /(?<=[\p{L}\p{N}._+-])@(?=[\p{L}\p{N}.\u200b-]{1,190}\.\u200b?\p{L}{2})/gu;

/** Prevents programs from turning client text into links or encoded words (RFC 2047). It looks unchanged. */
export function preventLinks(text: string): string {
  return text
    .replace(address, (_, begin: string, host: string) => {
      const broken = host.replaceAll('.', `.${breakSign}`);
      return begin === '://' ? `:${breakSign}//${broken}` : `${begin}${breakSign}${broken}`;
    })
    .replace(bareScheme, `$1:${breakSign}`)
    .replace(bareHost, `.${breakSign}`)
    .replace(mailbox, `@${breakSign}`)
    .replaceAll('=?', `=${breakSign}?`);
}

// Texts of several lines where there is room for one, and what strangers wrote where people read it.

/** The text in one line: what is white or not to be seen is a space, several are one, none at its ends. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\s]+/gu, ' ').trim();
}

/** Breaks what it stands in for who looks for links, and is not seen. */
const breakSign = '\u200b';

/** An address with its host, as programs of mail and chats look for it: by its scheme, or by `www.`. */
const address = /(:\/\/|\bwww\.)([^\s/?#]*)/gi;
/** Of schemes that do without `//`, those behind which a program makes a link. */
const bareScheme = /\b(mailto|tel|sms):(?=\S)/gi;
/**
 * A host that stands alone, by its last label: of two letters, or one of those that are used most. Programs
 * take `main.py` for one too, as Python's suffix is Paraguay's.
 */
const bareHost =
  /(?<=[\p{L}\p{N}])\.(?=(?:(?!js|ts|go|rb|kt)[a-z]{2}|xn--[a-z0-9-]{1,59}|com|net|org|edu|gov|mil|info|biz|name|pro|mobi|app|dev|page|web|cloud|site|website|online|store|shop|live|link|click|top|xyz|icu|vip|club|work|world|today|zip|mov|email|support|security|bank|finance)(?![\p{L}\p{N}]))/giu;

/** The sign before the host of a mailbox; `shop@1.2.0` is a release. */
const mailbox = /(?<=[\p{L}\p{N}._+-])@(?=[\p{L}\p{N}.\u200b-]{1,190}\.\u200b?\p{L}{2})/gu;

/**
 * A text that strangers wrote, for people: no program that shows it makes a link of it, nor reads it as an
 * encoded word of a header (RFC 2047). It looks as before.
 */
export function defuseLinks(text: string): string {
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

// Secrets that their own form tells: credentials in URLs, what follows "Bearer", and the tokens of known
// providers.
import { announceWords, family } from './look.ts';
import { anyOf, codedSign, patternOf } from './patterns.ts';
import { hidesNothing, looksChosen, looksRandom } from './worth.ts';

const filtered = '[Filtered]';

announceWords(family.scheme, 'start', ['bearer', 'basic', 'digest', 'negotiate', 'ntlm', 'mask']);

/**
 * `https://user:pass@host`, and, unless in addresses alone, `user:pass@host` as connection strings write it.
 */
export function scrubUrlUsers(text: string, addressesOnly: boolean, hit: () => void): string {
  if (!mayHoldUser(text)) return text;
  const withoutUrls = text.replace(urlUser, (whole: string, scheme: string, user: string) => {
    if (user === filtered || (!user.includes(':') && (scheme === '' || !isUserKey(user)))) return whole;
    hit();
    return `${scheme}//${filtered}@`;
  });
  const withoutSlashes = withoutUrls.replace(
    // A password may hold signs of a path; digits and a slash are a port.
    /:\/\/[^\s/?#:@"'<>]{0,128}:(?!\d{1,5}(?:[/?#]|$))([^\s"'<>@]{1,256})@(?=[\w[])/g,
    () => {
      hit();
      return `://${filtered}@`;
    },
  );
  if (addressesOnly) return withoutSlashes;
  const withoutUsers = withoutSlashes.replace(
    /(?<![^\s"'(=,;])(?=[\w.+-]{0,63}[A-Za-z])([\w.+-]{1,64}):([^\s@/"'<>|]{1,128})@(?=[A-Za-z[(])/g,
    (whole: string, user: string) => {
      if (/^(?:mailto|e-?mail|mail|to|from|cc|bcc|sip|sips|xmpp|acct|user|npm|git|ssh)$/i.test(user)) {
        return whole;
      }
      hit();
      return `${filtered}@`;
    },
  );
  return withoutUsers.replace(
    /(jdbc:oracle:[a-z]{1,8}:[\w$#.]{1,64}\/)([^\s@"'<>]{1,128})(?=@)/gi,
    (whole: string, head: string, secret: string) => {
      if (secret === filtered) return whole;
      hit();
      return `${head}${filtered}`;
    },
  );
}

/** 1: the colon of a scheme, or nothing in `//ann:secret@host`, 2: the user. */
const urlUser = /(:|(?<![^\s"'(=,]))\/\/([^\s/?#"'<>]{1,512})@/g;

/** 1: the colon and slashes of an address inside of another one, coded once or more often, 2: the user. */
const codedUser = patternOf(
  'gi',
  `(${codedSign}3A${codedSign}2F${codedSign}2F)`,
  String.raw`((?:[^\s"'<>&%]|%(?!(?:25){0,3}(?:2F|3F|23|40))){1,512})(?=${codedSign}40)`,
);

/** `next=https%3A%2F%2Fann%3Asecret%40host`. */
export function scrubCodedUsers(text: string, hit: () => void): string {
  return text.replace(codedUser, (whole: string, scheme: string, user: string) => {
    if (!/%(?:25){0,3}3A/i.test(user)) return whole;
    hit();
    return `${scheme}${filtered}`;
  });
}

/** `https://ghp_…@host`: a key where the name of a user stands. */
function isUserKey(user: string): boolean {
  return user.length >= 16 || looksRandom(user) || (user.length >= 10 && looksChosen(user));
}

/** Whether a colon or a slash stands before an "@" in the same word; looked for backwards from each. */
function mayHoldUser(text: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    for (let before = at - 1; before >= 0; before -= 1) {
      const code = text.charCodeAt(before);
      if (code === 58 || code === 47) return true;
      if (code <= 32 || code === 34 || code === 39 || code === 64) break;
    }
  }
  return false;
}

/** `host:5432:database:user:secret`, a line of the file that PostgreSQL's clients read. */
export function scrubPasswordFile(text: string, hit: () => void): string {
  return text.replace(
    /(^|\s)([\w.*-]{1,128}:(?:5432|5433|6432|\*):[\w*-]{1,64}:[\w.*-]{1,64}:)([^\s:"']{4,128})(?=\s|$)/g,
    (whole: string, before: string, place: string, secret: string) => {
      if (secret.startsWith('[') || /^\d{1,9}$/.test(secret)) return whole;
      hit();
      return `${before}${place}${filtered}`;
    },
  );
}

/** `ann@example.org:hunter2`, as mail servers and stolen lists have it; 1: all in front of the secret. */
const mailUser = patternOf(
  'g',
  String.raw`(?<![\w/@.:+-])([\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,12}:)`,
  String.raw`([^\s/:@"'<>,;()[\]{}]{6,128})(?=[\s"',;]|$)`,
);

/** What stands behind an address of mail and a colon, where somebody may have chosen it. */
export function scrubMailUsers(text: string, hit: () => void): string {
  if (!/@[\w.-]{4,512}:/.test(text)) return text;
  return text.replace(mailUser, (whole: string, head: string, secret: string) => {
    if (!looksChosen(secret) || hidesNothing(secret, false)) return whole;
    hit();
    return `${head}${filtered}`;
  });
}

const plainWords = patternOf(
  'i',
  '^',
  anyOf(`auth(?:entication|orization|orisation)? token tokens access realm scheme credentials? of is not and
    or information usage type tests? format missing required invalid expired header headers challenge
    algorithm check with from for error failed`),
  '[.,:;]?$',
);

/** `Bearer …`, `Basic …` and their like: the word stays, what follows goes. */
export function scrubSchemes(text: string, hit: () => void): string {
  const masked = text.replace(/(::add-mask::)([^\s[]{3,512})/g, (_whole: string, head: string) => {
    hit();
    return `${head}${filtered}`;
  });
  return masked.replace(
    /\b(bearer|basic|digest|negotiate|ntlm)(\s{1,4}|%20|\+|, ?)([\w+/=.~:%-]{4,})/gi,
    (whole: string, scheme: string, gap: string, secret: string) => {
      if (gap.startsWith(',') && !looksRandom(secret)) return whole;
      // The next header's name.
      if (/[\r\n]/.test(gap) && /^[A-Za-z-]+:$/.test(secret)) return whole;
      if (plainWords.test(secret) || /^realm=/i.test(secret)) return whole;
      const isBearer = /^bearer$/i.test(scheme);
      if (isBearer ? /^[a-z]{1,15}[.,:;]?$/.test(secret) : !isCoded(secret)) return whole;
      hit();
      return `${scheme}${gap}${filtered}`;
    },
  );
}

/** Base64, as these schemes have it: "basic JavaScript" and "Basic HTTP/1.1" are words. */
function isCoded(text: string): boolean {
  if (text.endsWith('=') || looksRandom(text)) return true;
  // `user:password`, and nothing that cannot be printed.
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

/**
 * Beginnings that providers document, and what must follow them. What stands before a sign that must come is
 * bounded: else a long word would be read again from each of its places. Text is searched for them only
 * where `longestMixedRun` (look.ts) is 16 or more: shorter tokens need another condition in `scrubPlain`.
 */
const knownTokens = patternOf(
  'g',
  '(?<![A-Za-z0-9])',
  anyOf([
    'gh[pousr]_[A-Za-z0-9]{16,}',
    String.raw`github_pat_\w{20,}`,
    String.raw`(?:glpat|gldt|glrt|glptt|glcbt|glft|glsoat|glimt|glagent|gloas)-[\w.-]{12,}`,
    String.raw`[srp]k_(?:live|test|prod)_\w{12,}`,
    String.raw`whsec_[\w+/=]{12,}`,
    String.raw`xox[a-z](?:\.xox[a-z])?-[\w-]{10,}`,
    String.raw`xapp-\d-[\w-]{10,}`,
    String.raw`ntf_(?:sk|admin)_\w{12,}`,
    'npm_[A-Za-z0-9]{16,}',
    String.raw`pypi-[\w-]{16,}`,
    String.raw`do[por]_v1_\w{16,}`,
    String.raw`shp(?:at|ca|pa|ss|tka)_\w{16,}`,
    String.raw`hv[sbr]\.[\w-]{16,}`,
    String.raw`SG\.[\w-]{12,64}\.[\w-]{12,}`,
    String.raw`sk-(?:proj|ant|svcacct|admin|or-v1)-[\w-]{12,}`,
    String.raw`sk-(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,}`,
    String.raw`sq0[a-z]{3}-[\w-]{12,}`,
    String.raw`EAAA[\w-]{40,}`,
    String.raw`ya29\.[\w-]{16,}`,
    String.raw`AIza[\w-]{20,}`,
    String.raw`GOCSPX-[\w-]{16,}`,
    String.raw`lin_api_\w{16,}`,
    'hf_[A-Za-z0-9]{16,}',
    String.raw`dckr_(?:pat|oat)_[\w-]{16,}`,
    '(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}',
    'LTAI[A-Za-z0-9]{12,}',
    'key-[0-9a-f]{32}',
    'SK[0-9a-fA-F]{32}',
    'sq[pua]_[0-9a-f]{40}',
    'c[ks]_[0-9a-f]{40}',
    String.raw`dapi[0-9a-f]{32}(?:-\d)?`,
    'NR(?:AK|JS|II|RA|SP)-[A-Z0-9]{16,}',
    String.raw`sntry[su]_[\w+/=-]{20,}`,
    'AGE-SECRET-KEY-1[A-Z0-9]{20,}',
    String.raw`ATATT3[\w=-]{20,}`,
    String.raw`ATBB\w{20,}`,
    String.raw`HRKU-[\w-]{20,}`,
    String.raw`glsa_\w{20,}`,
    String.raw`glc_[\w+/=]{20,}`,
    String.raw`dt0c01\.[A-Z0-9]{12,64}\.[A-Z0-9]{12,}`,
    'PMAK-[0-9a-f-]{20,}',
    String.raw`tskey-[a-z]{1,24}-[\w-]{12,}`,
    String.raw`pscale_(?:tkn|pw|oauth)_[\w.=-]{16,}`,
    'sbp_[0-9a-f]{20,}',
    '(?:secret|ntn)_[A-Za-z0-9]{40,}',
    String.raw`figd_[\w-]{20,}`,
    String.raw`dp\.(?:pt|st|sa|ct|scim|audit)\.[\w.-]{20,}`,
    'pul-[0-9a-f]{40}',
    'rubygems_[0-9a-f]{32,}',
    String.raw`CCIP(?:AT|RJ)_[\w-]{20,}`,
    String.raw`bkua_\w{20,}`,
    String.raw`nfp_\w{20,}`,
    'gsk_[A-Za-z0-9]{20,}',
    'xai-[A-Za-z0-9]{20,}',
    'pplx-[A-Za-z0-9]{20,}',
    'r8_[A-Za-z0-9]{20,}',
    String.raw`ops_ey[\w+/=-]{20,}`,
    String.raw`EZ[AT]K\w{20,}`,
    String.raw`access_token\$production\$[a-z0-9]{8,32}\$[0-9a-f]{16,}`,
    String.raw`v[1-4]\.(?:local|public)\.[\w.-]{20,}`,
    String.raw`\w{10,40}\.atlasv1\.[\w=-]{20,}`,
    String.raw`[\w~.-]{3}\dQ~[\w~.-]{20,}`,
    String.raw`(?:bot)?\d{6,12}:A[\w-]{30,}`,
    String.raw`[MNO][\w-]{22,40}\.[\w-]{6}\.[\w-]{25,}`,
    // Digests of passwords: of bcrypt, crypt, Argon2, scrypt, PBKDF2, WordPress, LDAP.
    String.raw`\$(?:2[abxy]?|wp\$2y)\$\d\d\$[\w./]{20,}`,
    String.raw`\$(?:1|5|6|7|y|apr1|scrypt)\$(?:rounds=\d{1,9}\$)?[\w./]{1,32}\$[\w./=]{16,}`,
    String.raw`\$(?:argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[\w=,$+/.-]{16,}`,
    String.raw`\$[PHS]\$[\w./]{20,}`,
    String.raw`pbkdf2_sha\d{1,3}\$\d{1,9}\$[\w./+=$-]{16,}`,
    String.raw`\{S?SHA(?:256|512)?\}[\w+/=]{16,}`,
  ]),
);

/**
 * Tokens told by their form: those with a known beginning, JSON web tokens, addresses that are keys
 * themselves.
 */
export function scrubTokens(text: string, hit: () => void): string {
  const clean = text.replace(knownTokens, () => {
    hit();
    return filtered;
  });
  return scrubWebTokens(clean, hit);
}

/** 1: the place; who knows what follows may post there. */
const hook = patternOf(
  'gi',
  String.raw`(hooks\.slack\.com\/[a-z]{1,16}\/|\/api\/webhooks\/\d{1,24}\/`,
  String.raw`|hooks\.zapier\.com\/hooks\/catch\/`,
  String.raw`|\.webhook\.office\.com\/webhook[a-z0-9]{0,2}\/|\/bot\d{6,12}:)[\w/@-]{6,}`,
);

/** Addresses that are keys themselves. */
export function scrubHooks(text: string, hit: () => void): string {
  if (!/hooks\.|\/api\/webhooks\/|webhook\.office|\/bot\d/i.test(text)) return text;
  return text.replace(hook, (_whole: string, place: string) => {
    hit();
    return `${place}${filtered}`;
  });
}

function scrubWebTokens(text: string, hit: () => void): string {
  if (!text.includes('eyJ')) return text;
  return text.replace(/[\w.-]{20,}/g, (word, at: number) => {
    const start = word.indexOf('eyJ');
    if (start === -1 || word.length - start < 20) return word;
    // A map or another document that stands in an address of data.
    if (start === 0 && text.startsWith('base64,', at - 7)) return word;
    hit();
    return word.slice(0, start) + filtered;
  });
}

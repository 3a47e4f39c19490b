// Secrets with a recognisable form. For a new token add a line to `tokenForms`.
import { isPublicValue, looksLikePassword, looksRandom } from '../table/false-positives.ts';
import { alternatives, codedSign, filteredText, joinPattern } from '../table/patterns.ts';
import { registerWords, signsOf, wordFamilies } from '../table/prefilter.ts';
import type { TextRules } from '../table/rules.ts';
import { scrubAddresses, scrubCards } from './cards-and-addresses.ts';
import { scrubLinks } from './links.ts';

registerWords(wordFamilies.scheme, 'start', ['bearer', 'basic', 'digest', 'negotiate', 'ntlm', 'mask']);

/** Documented prefixes. Bound repetitions before a required sign: linear. Needs a `longestMixedRun` of 16. */
export const tokenForms = {
  GitHub: /gh[pousr]_[A-Za-z0-9]{16,}/,
  'GitHub, fine-grained': /github_pat_\w{20,}/,
  GitLab: /(?:glpat|gldt|glrt|glptt|glcbt|glft|glsoat|glimt|glagent|gloas)-[\w.-]{12,}/,
  'Stripe, Clerk': /[srp]k_(?:live|test|prod)_\w{12,}/,
  webhook: /whsec_[\w+/=]{12,}/,
  Slack: /xox[a-z](?:\.xox[a-z])?-[\w-]{10,}/,
  'Slack app': /xapp-\d-[\w-]{10,}/,
  ours: /ntf_(?:sk|pt|admin)_\w{12,}/,
  npm: /npm_[A-Za-z0-9]{16,}/,
  PyPI: /pypi-[\w-]{16,}/,
  DigitalOcean: /do[por]_v1_\w{16,}/,
  Shopify: /shp(?:at|ca|pa|ss|tka)_\w{16,}/,
  Vault: /hv[sbr]\.[\w-]{16,}/,
  SendGrid: /SG\.[\w-]{12,64}\.[\w-]{12,}/,
  'OpenAI, Anthropic': /sk-(?:proj|ant|svcacct|admin|or-v1)-[\w-]{12,}/,
  'OpenAI, older': /sk-(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,}/,
  Square: /sq0[a-z]{3}-[\w-]{12,}/,
  'Square access': /EAAA[\w-]{40,}/,
  'Google access': /ya29\.[\w-]{16,}/,
  Google: /AIza[\w-]{20,}/,
  'Google client': /GOCSPX-[\w-]{16,}/,
  Linear: /lin_api_\w{16,}/,
  HuggingFace: /hf_[A-Za-z0-9]{16,}/,
  Docker: /dckr_(?:pat|oat)_[\w-]{16,}/,
  AWS: /(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}/,
  Alibaba: /LTAI[A-Za-z0-9]{12,}/,
  Mailgun: /key-[0-9a-f]{32}/,
  Twilio: /SK[0-9a-fA-F]{32}/,
  SonarQube: /sq[pua]_[0-9a-f]{40}/,
  WooCommerce: /c[ks]_[0-9a-f]{40}/,
  Databricks: /dapi[0-9a-f]{32}(?:-\d)?/,
  'New Relic': /NR(?:AK|JS|II|RA|SP)-[A-Z0-9]{16,}/,
  Sentry: /sntry[su]_[\w+/=-]{20,}/,
  age: /AGE-SECRET-KEY-1[A-Z0-9]{20,}/,
  Atlassian: /ATATT3[\w=-]{20,}/,
  Bitbucket: /ATBB\w{20,}/,
  Heroku: /HRKU-[\w-]{20,}/,
  Grafana: /glsa_\w{20,}/,
  'Grafana Cloud': /glc_[\w+/=]{20,}/,
  Dynatrace: /dt0c01\.[A-Z0-9]{12,64}\.[A-Z0-9]{12,}/,
  Postman: /PMAK-[0-9a-f-]{20,}/,
  Tailscale: /tskey-[a-z]{1,24}-[\w-]{12,}/,
  PlanetScale: /pscale_(?:tkn|pw|oauth)_[\w.=-]{16,}/,
  Supabase: /sbp_[0-9a-f]{20,}/,
  Notion: /(?:secret|ntn)_[A-Za-z0-9]{40,}/,
  Figma: /figd_[\w-]{20,}/,
  Doppler: /dp\.(?:pt|st|sa|ct|scim|audit)\.[\w.-]{20,}/,
  Pulumi: /pul-[0-9a-f]{40}/,
  RubyGems: /rubygems_[0-9a-f]{32,}/,
  CircleCI: /CCIP(?:AT|RJ)_[\w-]{20,}/,
  Buildkite: /bkua_\w{20,}/,
  Netlify: /nfp_\w{20,}/,
  Groq: /gsk_[A-Za-z0-9]{20,}/,
  xAI: /xai-[A-Za-z0-9]{20,}/,
  Perplexity: /pplx-[A-Za-z0-9]{20,}/,
  Replicate: /r8_[A-Za-z0-9]{20,}/,
  '1Password': /ops_ey[\w+/=-]{20,}/,
  EasyPost: /EZ[AT]K\w{20,}/,
  PayPal: /access_token\$production\$[a-z0-9]{8,32}\$[0-9a-f]{16,}/,
  PASETO: /v[1-4]\.(?:local|public)\.[\w.-]{20,}/,
  Terraform: /\w{10,40}\.atlasv1\.[\w=-]{20,}/,
  'Azure client secret': /[\w~.-]{3}\dQ~[\w~.-]{20,}/,
  Telegram: /(?:bot)?\d{6,12}:A[\w-]{30,}/,
  Discord: /[MNO][\w-]{22,40}\.[\w-]{6}\.[\w-]{25,}/,
  bcrypt: /\$(?:2[abxy]?|wp\$2y)\$\d\d\$[\w./]{20,}/,
  crypt: /\$(?:1|5|6|7|y|apr1|scrypt)\$(?:rounds=\d{1,9}\$)?[\w./]{1,32}\$[\w./=]{16,}/,
  'Argon2, PBKDF2': /\$(?:argon2(?:id|i|d)|pbkdf2[\w-]{0,12})\$[\w=,$+/.-]{16,}/,
  'WordPress, phpass': /\$[PHS]\$[\w./]{20,}/,
  'PBKDF2 of Django': /pbkdf2_sha\d{1,3}\$\d{1,9}\$[\w./+=$-]{16,}/,
  'SHA of LDAP': /\{S?SHA(?:256|512)?\}[\w+/=]{16,}/,
} as const satisfies Readonly<Record<string, RegExp>>;

const dollar = signsOf('$');
/** Public: certificates and public keys. */
const publicBlock = alternatives([
  '(?:NEW )?CERTIFICATE(?: REQUEST)?|TRUSTED CERTIFICATE|X509 CRL',
  '(?:RSA |EC |SSH2 )?PUBLIC KEY|(?:EC|DH|DSA) PARAMETERS',
  'PGP (?:PUBLIC KEY BLOCK|SIGNED MESSAGE|SIGNATURE|MESSAGE)',
]);

const pemRules: TextRules = {
  'key of PuTTY': {
    words: /Private-Lines: /,
    pattern: /Private-Lines: \d{1,4}\s{1,4}(?<secret>[\w+/=\s-]{1,16384}?)(?=\n?Private-MAC|$)/g,
    isSecret: ({ secret }) => secret.trim() !== '',
  },
  // Text that only mentions a key has no body after it.
  'private key': {
    words: /-----BEGIN /,
    pattern: joinPattern(
      'g',
      String.raw`-----BEGIN (?!${publicBlock}-----)[A-Z0-9 ]{1,48}-----(?:\\[nr]|[\s\\"'+]){0,64}`,
      String.raw`(?:[\w+/=]{4}|[A-Z][\w-]{2,24}: )[^]*?(?:-----END [^]*?(?:-----|$)|$)`,
    ),
  },
  'end of a private key': {
    words: /-----END /,
    pattern: /(?<![\w+/=\r\n\\])[\w+/=\r\n\\]{16,}?(?=(?:\n|\\n)?-----END [A-Z ]{0,32}PRIVATE KEY)/g,
  },
};

/** First, since other rules could not read text directly before or after a key. */
export const keyRules: TextRules = {
  'PEM block': { signs: ['-'], longestRun: 5, rules: pemRules },
  'token of a known form': {
    applies: ({ scan }) => scan.longestMixedRun >= 16 || (scan.digits >= 2 && (scan.signs & dollar) !== 0),
    pattern: joinPattern(
      'g',
      '(?<![A-Za-z0-9])',
      alternatives(Object.values(tokenForms).map(({ source }) => source)),
    ),
  },
  // A base64 data URL is a source map or another document, not a token.
  'JSON web token': {
    applies: ({ scan }) => scan.longestMixedRun >= 16,
    words: /eyJ/,
    pattern: /base64,eyJ[\w.-]*|(?<secret>eyJ[\w.-]{17,})/g,
  },
};

const plainWords = joinPattern(
  'i',
  '^',
  alternatives(`auth(?:entication|orization|orisation)? token tokens access realm scheme credentials? of is not and
    or information usage type tests? format missing required invalid expired header headers challenge
    algorithm check with from for error failed`),
  '[.,:;]?$',
);

/** "basic JavaScript" and "Basic HTTP/1.1" are not Base64. */
function isCoded(text: string): boolean {
  if (text.endsWith('=') || looksRandom(text)) return true;
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

const schemeRules: TextRules = {
  'mask of a runner': { words: /::/, pattern: /::add-mask::(?<secret>[^\s[]{3,512})/g },
  authorization: {
    pattern: joinPattern(
      'gi',
      String.raw`\b(?<scheme>bearer|basic|digest|negotiate|ntlm)(?<gap>\s{1,4}|%20|\+|, ?)`,
      String.raw`(?<secret>[\w+/=.~:%-]{4,})`,
    ),
    isSecret: ({ secret, groups: { scheme = '', gap = '' } }) => {
      if (gap.startsWith(',') && !looksRandom(secret)) return false;
      if (/[\r\n]/.test(gap) && /^[A-Za-z-]+:$/.test(secret)) return false;
      if (plainWords.test(secret) || /^realm=/i.test(secret)) return false;
      return /^bearer$/i.test(scheme) ? !/^[a-z]{1,15}[.,:;]?$/.test(secret) : isCoded(secret);
    },
  },
};

export const userRules: TextRules = {
  // A line of PostgreSQL's .pgpass: `host:5432:database:user:secret`.
  'password file of PostgreSQL': {
    signs: [':'],
    digits: 4,
    words: /:(?:5432|5433|6432):/,
    pattern: joinPattern(
      'g',
      String.raw`(?:^|\s)[\w.*-]{1,128}:(?:5432|5433|6432|\*):[\w*-]{1,64}:[\w.*-]{1,64}:`,
      String.raw`(?<secret>[^\s:"']{4,128})(?=\s|$)`,
    ),
    isSecret: ({ secret }) => !secret.startsWith('[') && !/^\d{1,9}$/.test(secret),
  },
  // `ann@example.org:hunter2`, as in mail logs and leaked lists.
  'mail user': {
    signs: [':', '@'],
    words: /@[\w.-]{4,512}:/,
    pattern: joinPattern(
      'g',
      String.raw`(?<![\w/@.:+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,4}[a-z]{2,12}:`,
      String.raw`(?<secret>[^\s/:@"'<>,;()[\]{}]{6,128})(?=[\s"',;]|$)`,
    ),
    isSecret: ({ secret }) => looksLikePassword(secret) && !isPublicValue(secret, false),
  },
  'authorization scheme': { families: wordFamilies.scheme, rules: schemeRules },
};

/** `https://ghp_…@host`: a token in place of the user. */
function isUserKey(user: string): boolean {
  return user.length >= 16 || looksRandom(user) || (user.length >= 10 && looksLikePassword(user));
}

const hostRules: TextRules = {
  'user of an address': {
    pattern: /(?<scheme>:|(?<![^\s"'(=,]))\/\/(?<secret>[^\s/?#"'<>]{1,512})(?=@)/g,
    isSecret: ({ secret, groups: { scheme } }) =>
      secret !== filteredText && (secret.includes(':') || (scheme !== '' && isUserKey(secret))),
  },
  // A password may have path characters; digits and a slash are a port.
  'user of an address, with signs': {
    pattern: joinPattern(
      'g',
      String.raw`:\/\/(?<secret>[^\s/?#:@"'<>]{0,128}:(?!\d{1,5}(?:[/?#]|$))[^\s"'<>@]{1,256})(?=@[\w[])`,
    ),
  },
  // `user:pass@host` in connection strings.
  'user of a host': {
    applies: ({ kind }) => kind !== 'name',
    pattern: joinPattern(
      'g',
      String.raw`(?<![^\s"'(=,;])(?=[\w.+-]{0,63}[A-Za-z])(?<secret>(?<user>[\w.+-]{1,64}):[^\s@/"'<>|]{1,128})`,
      '(?=@[A-Za-z[(])',
    ),
    isSecret: ({ groups: { user = '' } }) =>
      !/^(?:mailto|e-?mail|mail|to|from|cc|bcc|sip|sips|xmpp|acct|user|npm|git|ssh)$/i.test(user),
  },
  'user of Oracle': {
    applies: ({ kind }) => kind !== 'name',
    words: /jdbc:oracle:/i,
    pattern: /jdbc:oracle:[a-z]{1,8}:[\w$#.]{1,64}\/(?<secret>[^\s@"'<>]{1,128})(?=@)/gi,
    isSecret: ({ secret }) => secret !== filteredText,
  },
};

const [colon, hash] = [signsOf(':'), signsOf('#')];

export const linkRules: TextRules = {
  link: {
    signs: ['/='],
    applies: ({ scan }) =>
      (scan.families & wordFamilies.link) !== 0 || ((scan.signs & hash) !== 0 && scan.longestMixedRun >= 16),
    scrub: scrubLinks,
  },
  'link that is a key': {
    signs: ['/'],
    families: wordFamilies.link,
    words: /hooks\.|\/api\/webhooks\/|webhook\.office|\/bot\d/i,
    pattern: joinPattern(
      'gi',
      String.raw`(?:hooks\.slack\.com\/[a-z]{1,16}\/|\/api\/webhooks\/\d{1,24}\/`,
      String.raw`|hooks\.zapier\.com\/hooks\/catch\/`,
      String.raw`|\.webhook\.office\.com\/webhook[a-z0-9]{0,2}\/|\/bot\d{6,12}:)(?<secret>[\w/@-]{6,})`,
    ),
  },
  'user and host': { signs: ['@', ':/'], rules: hostRules },
  // `next=https%3A%2F%2Fann%3Asecret%40host`, encoded once or more.
  'user of a coded address': {
    signs: ['%'],
    words: /40/,
    pattern: joinPattern(
      'gi',
      `${codedSign}3A${codedSign}2F${codedSign}2F`,
      String.raw`(?<secret>(?:[^\s"'<>&%]|%(?!(?:25){0,3}(?:2F|3F|23|40))){1,512})(?=${codedSign}40)`,
    ),
    isSecret: ({ secret }) => /%(?:25){0,3}3A/i.test(secret),
  },
  'card number': { digits: 13, words: /\d(?:(?:[ .+\u00a0-]| {2}|%2[0BD])?\d){12}/i, scrub: scrubCards },
  'IP address': {
    applies: ({ kind, scan }) => kind === 'text' && (scan.digits >= 4 || (scan.signs & colon) !== 0),
    scrub: scrubAddresses,
  },
};

// Which names promise a secret or an address. Names are split into words, so that "author" and "tokenizer" stay while
// "X-Api-Key", "api_key" and "apiKey" go (ingestion.md section 7.2). No values are looked at here.

const keyCharsMax = 128;

/** A word anywhere in a name that makes its value a secret. */
const secretWords = new Set(
  `password passwords passwd pwd pw psw pswd pass creds cred passphrase passcode passwort motdepasse contrasena kennwort
  secret secrets auth oauth authorization authorisation credential credentials token tokens jwt bearer
  session sessions sessionid sessid sess sid phpsessid jsessionid cookie cookies csrf xsrf nonce wpnonce
  otp totp mfa pin cvv cvc csc ssn iban apikey accesskey privatekey secretkey signingkey encryptionkey creditcard cardnumber
  ccnumber ccnum sessionkey authkey passkey sig contraseña dbpass userpass smtppass ftppass rootpass adminpass mysqlpass`.split(
    /\s+/,
  ),
);

/** Two words that make one together. */
const secretPairs = new Set(
  `api key,access key,private key,secret key,encryption key,signing key,auth key,app key,master key,license key,ssh key,
  service key,account key,storage key,notifier key,client key,deploy key,session key,host key,subscription key,credit card,card number,
  card num,cc number,cc num,debit card,security code,card code,two factor,pass word,pass phrase,social security,
  account number,routing number,access signature,code verifier,client assertion,saml response,recovery code,
  recovery codes,backup code,backup codes,fa code,fa secret,wordpress sec,amz signature,goog signature,logged in,remember me`
    .split(/,\s*/)
    .map((pair) => pair.trim()),
);

/** Endings of words written together: "userpassword", "csrftoken". */
const secretEndings =
  /(?:password|passwd|passphrase|secret|apikey|token|sessionid|sessid|cookie|privatekey|accesskey|credentials?)$/;
const secretStarts = /^(?:password|passwd|passphrase|apikey|phpsess|jsession|aspsession)/;

/** Words whose numbers count something and hide nothing: "max_tokens": 4096. */
const countedWords = new Set([
  'tokens',
  'token',
  'session',
  'sessions',
  'cookies',
  'cookie',
  'pass',
  'auth',
  'nonce',
]);

/** Names that a project adds, brought to the form that names are compared in. */
export interface ExtraFields {
  readonly joined: ReadonlySet<string>;
  readonly phrases: readonly string[];
}

export function extraFieldsOf(names: readonly string[]): ExtraFields {
  const words = names.map((name) => wordsOf(name)).filter((list) => list.length > 0);
  return {
    joined: new Set(words.map((list) => list.join(''))),
    phrases: words.map((list) => ` ${list.join(' ')} `),
  };
}

/** Lower-case words of a name: split on case, on anything that is no letter, and at most 128 characters are looked at. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, keyCharsMax)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

export type KeyVerdict = 'secret' | 'counted' | 'address' | 'agent' | 'version' | 'id' | 'plain';

/**
 * What a name says about its value: `secret` (filter it), `counted` (filter it unless it is a number), `address` (an IP address),
 * `agent` (a user agent: dotted numbers are no addresses there either), `version` (dotted numbers are no addresses), `id` (hex of ours), or nothing.
 */
export function judgeKey(name: string, extra: ExtraFields): KeyVerdict {
  const known = extra.joined.size === 0 ? verdicts.get(name) : undefined;
  if (known !== undefined) return known;
  const verdict = judge(wordsOf(name), extra);
  if (extra.joined.size === 0 && name.length <= keyCharsMax) {
    if (verdicts.size >= verdictsMax) verdicts.clear();
    verdicts.set(name, verdict);
  }
  return verdict;
}

/** Names repeat from event to event; the answer depends on nothing but the name. */
const verdicts = new Map<string, KeyVerdict>();
const verdictsMax = 10_000;

function judge(words: readonly string[], extra: ExtraFields): KeyVerdict {
  const joined = words.join('');
  if (extra.joined.has(joined)) return 'secret';
  const phrase = ` ${words.join(' ')} `;
  if (extra.phrases.some((one) => phrase.includes(one))) return 'secret';
  if (isAddressName(words, joined)) return 'address';
  if (joined === 'useragent' || joined === 'httpuseragent') return 'agent';
  const secret = words.find(
    (word, at) => isSecretWord(word) || secretPairs.has(`${word} ${words[at + 1] ?? ''}`),
  );
  if (secret !== undefined || secretWords.has(joined)) {
    return secret !== undefined && countedWords.has(secret) ? 'counted' : 'secret';
  }
  if (words.some((word) => word === 'version' || word === 'build' || word === 'release')) return 'version';
  return words.at(-1) === 'id' && idWords.has(words.at(-2) ?? '') ? 'id' : 'plain';
}

const idWords = new Set(['trace', 'span', 'event', 'replay', 'debug', 'profile', 'code']);

function isSecretWord(word: string): boolean {
  return secretWords.has(word) || (word.length > 5 && (secretEndings.test(word) || secretStarts.test(word)));
}

const addressNames = new Set(
  `forwarded xforwardedfor forwardedfor xoriginalforwardedfor remoteaddr remoteaddress remotehost ipaddress ipaddr ipaddresses ips
  clientaddress clientaddr peeraddress sourceaddress networkpeeraddress netpeeraddr netsockpeeraddr xremoteaddr
  xenvoyexternaladdress cfconnectingipv cfpseudoipv xforwarded xproxyuserip serveraddr`.split(/\s+/),
);

/** `REMOTE_ADDR`, `X-Forwarded-For`, `CF-Connecting-IP`, anything that ends in "ip"; with `HTTP_` in front too. */
function isAddressName(words: readonly string[], joined: string): boolean {
  const last = words.at(-1);
  return (
    last === 'ip' ||
    addressNames.has(joined.startsWith('http') ? joined.slice(4) : joined) ||
    (last === 'address' && words.at(-2) === 'ip')
  );
}

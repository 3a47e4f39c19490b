import { describe, expect, it } from '@jest/globals';
import { buildCulprit, buildTitle } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import type { ScrubOptions } from '../../../src/core/ports/prepared-data.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { truncateIpAddress } from '../../../src/core/scrub/rules/cards-and-addresses.ts';
import { classifyFieldName, compileExtraFields, splitWords } from '../../../src/core/scrub/table/names.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';
import { findSuspectComponent } from '../../../src/core/wordpress-components/suspect-component.ts';
import { normalized } from '../../support/events.ts';

const options: ScrubOptions = { extraFields: [], storeIpAddresses: false, clientAddress: '198.51.100.77' };
const scrubbed = (raw: unknown, change: Partial<ScrubOptions> = {}) =>
  scrubEvent(normalized(raw), { ...options, ...change });

/** What must be found nowhere; each is recognised without a name in front of it. */
const shaped: Record<string, string> = {
  visa: '4111111111111111',
  spacedCard: '5500 0055 5555 5559',
  dashedCard: '6011-0009-9013-9424',
  amex: '3782 822463 10005',
  bearer: 'Bearer cnry-bearer-8f3a.b2',
  basic: 'Basic Y25yeTpiYXNpYzE=',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJjbnJ5Ijoiand0In0.c25yeS1zaWduYXR1cmU',
  pem: '-----BEGIN PRIVATE KEY-----\nMIIcnryPEMbody0123456789\n-----END PRIVATE KEY-----',
  url: 'postgres://admin:cnry-url-pass@db.internal/app',
  github: 'ghp_cnryGITHUB0123456789abcdef',
  stripe: 'sk_live_cnrySTRIPE0123456789',
  slack: 'xoxb-cnry-slack-0123456789',
  aws: 'AKIACNRY0AWS0KEY0ABC',
  address: '203.0.113.195',
  address6: '2001:db8:85a3::8a2e:370:7334',
};
const traces = [
  ...['4111111111111111', '5500 0055', '6011-0009', '3782 822463', 'cnry', 'CNRY', 'Y25yeT', 'MIIcnry'],
  ...['203.0.113', '2001:db8:85a3', '8a2e:370'],
];
const namedSecrets: Record<string, string> = {
  password: 'cnry-plain',
  passwd: 'cnry-plain',
  'X-Api-Key': 'cnry-plain',
  api_key: 'cnry-plain',
  apiKey: 'cnry-plain',
  client_secret: 'cnry-plain',
  accessToken: 'cnry-plain',
  sessionid: 'cnry-plain',
  PHPSESSID: 'cnry-plain',
  csrfmiddlewaretoken: 'cnry-plain',
  Authorization: 'cnry-plain',
  credit_card: 'cnry-plain',
  cvv: 'cnry-plain',
  mysql_pwd: 'cnry-plain',
  userpassword: 'cnry-plain',
  otp: 'cnry-plain',
};
const everything = { ...shaped, ...namedSecrets };
const allText = Object.entries(everything)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ; ');
const asForm = Object.entries(namedSecrets)
  .map(([name, value]) => `${name}=${value}`)
  .join('&');
const asKeys = Object.fromEntries(Object.values(shaped).map((secret) => [`held by ${secret}`, 1]));
const frames = [
  {
    function: 'pay',
    filename: 'cart.py',
    in_app: true,
    vars: {
      ...everything,
      nested: { deep: everything },
      repr: `{'password': 'cnry-plain', 'a': 1}`,
      list: ['--password', 'cnry-plain'],
    },
    pre_context: ['key = """-----BEGIN RSA PRIVATE KEY-----', 'MIIcnryLineOne', 'MIIcnryLineTwo'],
    context_line: '-----END RSA PRIVATE KEY-----""" + connect("postgres://a:cnry@h/d")',
    post_context: [`password = "cnry-literal"`, `charge("4111111111111111")`],
  },
];

const canaryEvent = {
  message: `failed: ${allText}`,
  logentry: { message: 'user %s', formatted: allText, params: [everything, allText] },
  transaction: `/pay?token=cnry-plain&card=4111111111111111`,
  logger: 'a',
  server_name: 'web 203.0.113.195',
  exception: {
    values: [
      { type: 'E', value: allText, mechanism: { type: 'generic', data: everything }, stacktrace: { frames } },
    ],
  },
  threads: { values: [{ id: 1, name: allText, stacktrace: { frames } }] },
  breadcrumbs: {
    values: [
      {
        message: allText,
        category: 'fetch',
        data: { ...everything, url: 'https://x.test/?access_token=cnry-plain' },
      },
    ],
  },
  tags: Object.entries({ password: 'cnry-plain', note: 'card 4111111111111111', ip: '203.0.113.195' }),
  extra: {
    everything,
    pairs: Object.entries(everything),
    asForm,
    json: JSON.stringify({ everything, inner: JSON.stringify(everything) }),
    asKeys,
    number: 4111111111111111,
    dump: `[password] => cnry-plain`,
    xml: '<password>cnry-plain</password>',
    cut: '{"password":"cnry-plain","a',
    encoded: 'x%5Bpassword%5D=cnry-plain',
  },
  contexts: {
    custom: { everything, asKeys },
    trace: { trace_id: '4111111111111111aaaaaaaaaaaaaaaa', span_id: '4111111111111111' },
  },
  request: {
    url: 'https://shop.test/pay?password=cnry-plain&card=4111111111111111',
    query_string: `a=1&${asForm}`,
    cookies: {
      sessionid: 'cnry-plain',
      theme: 'dark',
      lang: 'en_US',
      prefs: 'cnry-cookie',
      wp_logged_in_9: 'cnry9plain0123456789',
    },
    headers: {
      Authorization: 'Bearer cnry',
      Cookie: 'a=cnry-plain',
      'Set-Cookie': 'b=cnry-plain',
      'X-Forwarded-For': '203.0.113.195, 10.1.1.1',
      Forwarded: 'for=203.0.113.195',
      'CF-Connecting-IP': '203.0.113.195',
      'User-Agent': 'Chrome/120.0.0.0',
      'X-Api-Key': 'cnry-plain',
      Accept: '*/*',
    },
    env: {
      REMOTE_ADDR: '203.0.113.195',
      HTTP_X_REAL_IP: '203.0.113.195',
      HTTP_COOKIE: 'cnry-plain',
      DB_PASSWORD: 'cnry-plain',
      DATABASE_URL: shaped['url'],
    },
    data: asForm,
  },
  user: { id: '7', email: 'ann@x.test', username: 'ann', ip_address: '203.0.113.195', data: everything },
  fingerprint: ['a', 'card 4111111111111111'],
  unknown: { everything, asKeys, [`password`]: 'cnry-plain' },
  secret_token: 'cnry-plain',
  sdk: { name: 'x', client_ip: '203.0.113.195' },
};

describe('the canaries', () => {
  const { event, count } = scrubbed(canaryEvent);
  const text = JSON.stringify(event);
  const withoutIds = text.replace(/"(?:trace_id|span_id)":"[^"]*"/g, '');

  it.each(traces)('%s is removed', (trace) => {
    expect(JSON.stringify(normalized(canaryEvent)).includes(trace)).toBe(true);
    expect(withoutIds.includes(trace)).toBe(false);
    const grouping = computeFingerprint(event);
    expect(
      JSON.stringify([
        buildTitle(event),
        buildCulprit(event, findSuspectComponent(event)),
        grouping,
      ]).includes(trace),
    ).toBe(false);
  });

  it('are counted', () => {
    expect(count).toBeGreaterThan(100);
  });

  it('leave other values', () => {
    expect(event.user).toMatchObject({ id: '7', email: 'ann@x.test', username: 'ann' });
    expect(event.request).toMatchObject({
      cookies: { theme: 'dark', lang: 'en_US', prefs: '[Filtered]' },
      headers: { 'User-Agent': 'Chrome/120.0.0.0', Accept: '*/*' },
    });
    expect(event.tags).toEqual([
      ['password', '[Filtered]'],
      ['note', 'card [card]'],
    ]);
    expect(event.contexts?.['trace']).toMatchObject({ span_id: '4111111111111111' });
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toMatchObject({
      function: 'pay',
      filename: 'cart.py',
    });
  });

  it('are all removed the first time', () => {
    expect(scrubEvent(event, options).event).toEqual(event);
  });

  it('do not change the given event', () => {
    const given = normalized(canaryEvent);
    const before = JSON.stringify(given);
    scrubEvent(given, options);
    expect(JSON.stringify(given)).toBe(before);
  });
});

describe('names', () => {
  it.each([
    ['X-Api-Key', ['x', 'api', 'key']],
    ['apiKey', ['api', 'key']],
    ['HTTPSProxy', ['https', 'proxy']],
    ['db.user_password2', ['db', 'user', 'password']],
  ])('%s is %p', (name, words) => {
    expect(splitWords(name)).toEqual(words);
  });

  it.each([
    'author',
    'tokenizer',
    'authority',
    'secretary',
    'passenger',
    'compass',
    'public_key',
    'sort_key',
    'keyboard',
    'monkey',
    'description',
    'cardinal',
    'zip',
    'ship',
    'sessional',
  ])('%s stays', (name) => {
    expect(classifyFieldName(name, compileExtraFields([]))).toBe('plain');
    expect(scrubbed({ extra: { [name]: 'kept as it is' } }).event.extra).toEqual({ [name]: 'kept as it is' });
    expect(scrubText(`${name}=kept`)).toBe(`${name}=kept`);
  });

  it.each(Object.keys(namedSecrets))('%s goes, with all that is below it', (name) => {
    expect(scrubbed({ extra: { [name]: { a: ['b'] } } }).event.extra).toEqual({ [name]: '[Filtered]' });
  });

  it('keeps booleans, null and counts', () => {
    const extra = {
      has_password: true,
      password: null,
      secret: '',
      max_tokens: 4096,
      tokens: 5,
      session_count: 3,
    };
    expect(scrubbed({ extra }).event.extra).toEqual({ ...extra, password: undefined });
  });

  it("knows the project's own names", () => {
    const extra = { customerNumber: 'x', 'my.customer_number': 'x', customer: 'y', IBAN: 'z' };
    expect(scrubbed({ extra }, { extraFields: ['customer-number', 'iban'] }).event.extra).toEqual({
      customerNumber: '[Filtered]',
      'my.customer_number': '[Filtered]',
      customer: 'y',
      IBAN: '[Filtered]',
    });
  });
});

describe('text', () => {
  it.each([
    'Unexpected token: <',
    'Basic usage of the bearer of news',
    'at 2026-11-21T10:00:00Z in 1732150000000 ms',
    'version 1.2.3.4, Chrome/120.0.0.0, http://127.0.0.1:8000/ and ::1',
    'order 4111111111111112 is no card',
    'std::vector and Foo::bar and a::b',
    'mail to:bob@y.test or ann@x.test',
    'https://x.test/a?author=ann&page=2#top',
    'commit 3f2a1b9c4d5e6f708192a3b4c5d6e7f809182736',
    'session',
    'a: b, c = d',
    '12:30:45 and 0.4111111111111111',
  ])('%p stays as it is', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  it.each([
    ['a password=x1 b', 'a password=[Filtered] b'],
    ['?token=x1&page=2', '?token=[Filtered]&page=2'],
    ['{"password":"x\\"1","a":1}', '{"password":"[Filtered]","a":1}'],
    ['Cookie: a=1; b=2\nHost: x', 'Cookie: [Filtered]\nHost: x'],
    ['-H "Authorization: Bearer x" y', '-H "Authorization: [Filtered]" y'],
    ['from 203.0.113.9:443', 'from [ip]:443'],
    ['[2001:db8::1]:443', '[[ip]]:443'],
    ['redis://:x1@h', 'redis://[Filtered]@h'],
  ])('%p becomes %p', (text, clean) => {
    expect(scrubText(text)).toBe(clean);
    expect(scrubText(clean)).toBe(clean);
  });

  const secret = 'cnryQ7w8E9';
  it.each([
    `password is ${secret}`,
    `the password for ann is ${secret}.`,
    `using password '${secret}'`,
    `SELECT 1 FROM users WHERE password = "${secret}" AND a=1`,
    `INSERT INTO users (name, user_pass) VALUES ('ann', '${secret}')`,
    `ALTER USER ann IDENTIFIED BY '${secret}'`,
    `curl -u ann:${secret} https://x.test`,
    `<input name="password" value="${secret}">`,
    `&lt;password&gt;${secret}&lt;/password&gt;`,
    `password&quot;:&quot;${secret}&quot;`,
    `token ${secret} is invalid`,
    `Incorrect API key provided: ${secret}`,
    `body was {"name":"password","value":"${secret}"}`,
    `{'password': b'${secret}'}`,
    `define('AUTH_KEY',         '${secret}');`,
    `x%253Fpwd%253D${secret}`,
    `SharedAccessSignature=${secret}`,
    `https://hooks.slack.com/services/T000/B000/${secret}`,
    `-----BEGIN RSA PRIVATE KEY-----\\n${secret}\\n-----END RSA PRIVATE KEY-----`,
  ])('%p loses its secret', (text) => {
    expect(scrubText(text)).not.toContain(secret);
    expect(scrubbed({ message: text }).event.logentry?.formatted).not.toContain(secret);
  });

  it.each([
    'using password: YES',
    'the password is wrong',
    'Password: required',
    'password: must be at least 8 characters',
    'wrong password: 3 attempts left',
    'Password of user ann42 expired',
    'Undefined array key "password"',
    "Unknown column 'token' in 'field list'",
    'max tokens 4096',
    'run -u 1000:1000 x',
    "insert into orders (id, name) values (1, 'ann')",
    '1732150000123',
    '1732150000123456',
  ])('%p reveals no secret', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  it.each([
    '4111%201111%201111%201111',
    '4111+1111+1111+1111',
    '4111  1111  1111  1111',
    'n%204111111111111111',
  ])('a card as %s is removed', (card) => {
    expect(scrubText(card)).toContain('[card]');
  });

  it('treats integers as cards only with the prefix of an issuer', () => {
    const extra = {
      card: 4111111111111111,
      time: 1732150000123,
      order: 1000000000000008,
      barcode: 4006381333931,
    };
    expect(scrubbed({ extra }).event.extra).toEqual({ ...extra, card: '[card]' });
  });

  it("finds a parameter's secret in the text that was made with it, and behind a flag", () => {
    const logentry = {
      message: 'hi {name} {password}',
      params: { name: 'ann', password: secret },
      formatted: `hi ann ${secret}`,
    };
    const { event } = scrubbed({ logentry, extra: { argv: ['x', '--token', secret, '--max-tokens', '5'] } });
    expect(event.logentry?.formatted).toBe('hi ann [Filtered]');
    expect(event.extra?.['argv']).toEqual(['x', '--token', '[Filtered]', '--max-tokens', '5']);
  });

  it('is read as source where it is source: only literals can be secrets', () => {
    const frame = {
      filename: 'a.py',
      context_line: 'password = request.form["password"]',
      post_context: ['token = get_token()', 'secret = "x1"'],
    };
    const { event } = scrubbed({ exception: { type: 'E', stacktrace: { frames: [frame] } } });
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toMatchObject({
      context_line: 'password = request.form["password"]',
      post_context: ['token = get_token()', 'secret = "[Filtered]"'],
    });
  });
});

describe('addresses', () => {
  it('are cut to their networks when the project keeps them', () => {
    const cut = (raw: unknown) => scrubbed(raw, { storeIpAddresses: true }).event;
    expect(cut({ user: { ip_address: '203.0.113.195' } }).user).toEqual({ ip_address: '203.0.113.0' });
    expect(cut({ user: { ip_address: '2001:db8:85a3::8a2e:370:7334' } }).user).toEqual({
      ip_address: '2001:db8:85a3::',
    });
    expect(cut({ user: { ip_address: '{{auto}}' } }).user).toEqual({ ip_address: '198.51.100.0' });
    expect(cut({ sdk: { name: 'x', settings: { infer_ip: 'auto' } } }).user).toEqual({
      ip_address: '198.51.100.0',
    });
    expect(
      cut({ request: { headers: { 'X-Forwarded-For': '203.0.113.195, 198.51.100.4' } } }).request?.[
        'headers'
      ],
    ).toEqual({
      'X-Forwarded-For': '203.0.113.0, 198.51.100.0',
    });
    const behind = (sent: string) =>
      cut({ request: { headers: { 'X-Forwarded-For': sent } } }).request?.['headers'];
    expect(behind('203.0.113.195:65535')).toEqual({ 'X-Forwarded-For': '203.0.113.0' });
    // No port has six digits, so this is no address either.
    expect(behind('203.0.113.195:100000')).toEqual({});
    expect(cut({ message: 'from 203.0.113.195' }).logentry?.formatted).toBe('from 203.0.113.0');
  });

  it('lose a password behind a user, and not a port before a path', () => {
    expect(scrubText('GET http://cache:65535/a@2 failed')).toBe('GET http://cache:65535/a@2 failed');
    expect(scrubText('GET http://ann:100000/a@host failed')).toBe('GET http://[Filtered]@host failed');
  });

  it('are removed otherwise, {{auto}} too', () => {
    expect(scrubbed({ user: { ip_address: '{{auto}}' } }).event.user).toBeUndefined();
    expect(scrubbed({ user: { id: 1, ip_address: '203.0.113.195' } }).event.user).toEqual({ id: '1' });
    expect(scrubbed({ sdk: { name: 'x', settings: { infer_ip: 'auto' } } }).event.user).toBeUndefined();
  });

  it.each([
    ['203.0.113.195', '203.0.113.0'],
    ['::ffff:203.0.113.195', '203.0.113.0'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::1', '2001:db8:0::'],
    ['nowhere', null],
  ])('the network of %s is %p', (address, network) => {
    expect(truncateIpAddress(address)).toBe(network);
  });
});

it('a secret after more calls than are parsed is removed all the same', () => {
  const secret = 'correct-horse-battery-staple-0123456789-Zq9xK2';
  const lines = `<password>${secret}</password>\nDB_PASSWORD=${secret}\n{"password":"${secret}"}`;
  for (const prefix of ['auth(a,'.repeat(900), 'auth('.repeat(1500), 'token_type: x, '.repeat(500)]) {
    expect(scrubText(`${prefix}\n${lines}`)).not.toContain(secret.slice(-12));
  }
});

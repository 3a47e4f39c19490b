import { describe, expect, it } from '@jest/globals';
import type { ScrubOptions } from '../../../src/core/ports/prepared-data.ts';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import {
  scrubFileName,
  scrubIdentity,
  scrubLogFields,
  scrubNamedValue,
  scrubProjectText,
  scrubQueryParameter,
  scrubRecord,
  scrubVersion,
} from '../../../src/core/scrub/record.ts';
import { normalized } from '../../support/events.ts';

const secret = 'cnryQ7w8E9';
const options: ScrubOptions = { extraFields: [], storeIpAddresses: false, clientAddress: '' };
const scrubbed = (raw: unknown, change: Partial<ScrubOptions> = {}) =>
  scrubEvent(normalized(raw), { ...options, ...change }).event;
const extraOf = (value: unknown): unknown => scrubbed({ extra: { it: value } }).extra?.['it'];
const project = { scrubFields: [] as string[], storeIpAddresses: false };

describe('parameters of a log entry', () => {
  it.each([
    ['login %s with password %s', ['ann', secret], `login ann with password ${secret}`],
    [
      'login %(user)s with password %(word)s',
      { user: 'ann', word: secret },
      `login ann with password ${secret}`,
    ],
    ['token={} for {}', [secret, 'ann'], `token=${secret} for ann`],
    ['user {0}, password: {1}', ['ann', secret], `user ann, password: ${secret}`],
    ['%2$s signed in, api key: %1$s', [secret, 'ann'], `ann signed in, api key: ${secret}`],
    [
      'UPDATE users SET password = ? WHERE name = ?',
      [secret, 'ann'],
      'UPDATE users SET password = ? WHERE name = ?',
    ],
    ['SELECT 1 WHERE token = $1 AND name = $2', [secret, 'ann'], 'SELECT 1'],
    ['WHERE password = :word AND name = :who', { word: secret, who: 'ann' }, 'WHERE'],
    [
      'reset link https://a.test/reset/%s for %s',
      [secret, 'ann'],
      `reset link https://a.test/reset/${secret} for ann`,
    ],
    ['your code is %s, %s', ['482913', 'ann'], 'your code is 482913, ann'],
  ])('%s', (message, params, formatted) => {
    const entry = scrubbed({ logentry: { message, params, formatted } }).logentry;
    const text = JSON.stringify(entry);
    expect(text).not.toContain(secret);
    expect(text).not.toContain('482913');
    expect(JSON.stringify(entry?.params)).toContain('ann');
    expect(entry?.message).toBe(message);
  });

  it('that are not secret stay', () => {
    const logentry = {
      message: 'moved %s to %s in %d ms',
      params: ['a-17', 'b', 42],
      formatted: 'moved a-17 to b in 42 ms',
    };
    expect(scrubbed({ logentry }).logentry).toEqual(logentry);
  });
});

describe('lists', () => {
  it.each([
    [
      ['password', secret],
      ['password', '[Filtered]'],
    ],
    [
      ['password', 'CanaryBravo'],
      ['password', '[Filtered]'],
    ],
    [
      ['otp', 482913],
      ['otp', '[Filtered]'],
    ],
    [
      ['password:', secret],
      ['password:', '[Filtered]'],
    ],
    [
      ['the token is', secret],
      ['the token is', '[Filtered]'],
    ],
    [
      ['Host', 'a.test', 'X-Api-Key', secret, 'Accept', '*/*'],
      ['Host', 'a.test', 'X-Api-Key', '[Filtered]', 'Accept', '*/*'],
    ],
    [
      ['mysql', '-u', 'root', `-p${secret}`],
      ['mysql', '-u', 'root', '-p[Filtered]'],
    ],
    [
      ['/usr/bin/sshpass', '-p', secret, 'ssh'],
      ['/usr/bin/sshpass', '-p', '[Filtered]', 'ssh'],
    ],
    [
      ['tool', '--password', secret, '--port', '1'],
      ['tool', '--password', '[Filtered]', '--port', '1'],
    ],
    [
      [
        ['user', 'ann'],
        ['password', secret],
      ],
      [
        ['user', 'ann'],
        ['password', '[Filtered]'],
      ],
    ],
  ])('%j', (list, clean) => {
    expect(extraOf(list)).toEqual(clean);
  });

  it('that became objects with indexes as keys', () => {
    const frames = [{ function: 'f', vars: ['password', secret] }];
    const { exception } = scrubbed({ exception: { type: 'E', stacktrace: { frames } } });
    expect(exception?.values[0]?.stacktrace?.frames[0]?.['vars']).toEqual({ 0: 'password', 1: '[Filtered]' });
  });

  it.each([
    [['email', 'password', 'remember_token']],
    [['password', 'email']],
    [['token', 'type', 'expires']],
    [['session', 'cart', 'locale']],
    [['cp', '-p', 'a.txt', 'b.txt']],
    [[['password', 'token']]],
    [['--max-tokens', '5']],
  ])('%j is a list of names', (list) => {
    expect(extraOf(list)).toEqual(list);
  });
});

describe('forms and queries', () => {
  it('of a sign-in lose one-time values', () => {
    const request = {
      url: `https://a.test/callback?code=${secret}&state=${secret}`,
      query_string: [
        ['code', secret],
        ['state', secret],
        ['lang', 'en'],
      ],
      fragment: `access_token=${secret}&token_type=bearer`,
      data: { grant_type: 'authorization_code', code: secret, redirect_uri: 'https://a.test/' },
    };
    const clean = scrubbed({ message: 'x', request }).request;
    expect(JSON.stringify(clean)).not.toContain(secret);
    expect(clean).toMatchObject({
      query_string: [
        ['code', '[Filtered]'],
        ['state', '[Filtered]'],
        ['lang', 'en'],
      ],
    });
  });

  it('in a fragment lose a single key, and what the query of a route loses', () => {
    const key = 'zX81pQ2LmN0aB4cD9eFgHiJk';
    const links = [
      `https://a.test/download/12#${key}`,
      `/d?v=1#!${key}.`,
      `/#/reset-password/${key}`,
      `#/reset/${key}`,
    ];
    const { extra, request } = scrubbed({ message: 'x', extra: { links }, request: { fragment: key } });
    expect(extra).toEqual({ links: links.map((each) => each.replace(key, '[Filtered]')) });
    expect(request).toEqual({ fragment: '[Filtered]' });
  });

  it.each([
    'https://a.test/guide#Section-2-HowToInstall',
    'com/shop/Payments#handleStripe3dSecureCallback',
    'https://a.test/page#0123456789abcdef0123456789abcdef',
    'https://a.test/src/x.ts#L120-L130',
    'div > button#zX81pQ2LmN0aB4cD9eFgHiJk',
    'https://a.test/#/verify/friends',
  ])('in a fragment keep %s', (text) => {
    expect(extraOf(text)).toBe(text);
  });

  it('of anything else stay', () => {
    const request = {
      url: 'https://a.test/shop?code=US&state=CA&key=title',
      query_string: 'code=US&state=CA',
      data: { code: 'E11000', state: 'closed', key: 'user:1234' },
    };
    expect(scrubbed({ message: 'x', request }).request).toEqual(request);
  });

  it('in a breadcrumb are scrubbed, whatever its key is called', () => {
    const data = { 'http.query': `key=${secret}`, url: `/js?key=${secret}`, from: `/reset/${secret}` };
    const clean = scrubbed({ message: 'x', breadcrumbs: [{ data }] }).breadcrumbs;
    expect(JSON.stringify(clean)).not.toContain(secret);
  });
});

describe('frames', () => {
  const frameOf = (frame: object) =>
    scrubbed({ exception: { type: 'E', stacktrace: { frames: [frame] } } }).exception?.values[0]?.stacktrace
      ?.frames[0];

  it('keep their names except for secrets of a URL in them', () => {
    const named = {
      function: 'PasswordController::resetPassword',
      filename: 'src/auth/password.controller.ts',
      module: 'com.shop.auth.TokenFilter',
      abs_path: 'https://cdn.test/app.3f2a1b9c.js?v=3f2a1b9c4d5e',
    };
    expect(frameOf(named)).toEqual(named);
    expect(
      frameOf({ filename: `https://ann:${secret}@cdn.test/app.js?token=${secret}#key=${secret}` }),
    ).toEqual({
      filename: 'https://[Filtered]@cdn.test/app.js?token=[Filtered]#key=[Filtered]',
    });
  });

  it('are scrubbed across line ends', () => {
    const frame = frameOf({
      filename: 'db.php',
      pre_context: ['$db = mysqli_connect(', "  'localhost',", "  'root',"],
      context_line: `  '${secret}',`,
      post_context: [');'],
    });
    expect(frame).toMatchObject({
      pre_context: ['$db = mysqli_connect(', "  'localhost',", "  'root',"],
      context_line: "  '[Filtered]',",
      post_context: [');'],
    });
  });

  it('of files that are not code have values without quotes', () => {
    const frame = frameOf({
      filename: 'config/app.yml',
      pre_context: ['db:', '  user: ann'],
      context_line: `  password: ${secret}`,
      post_context: ['  token: |', `    ${secret}`, '  host: db'],
    });
    expect(frame).toMatchObject({
      pre_context: ['db:', '  user: ann'],
      context_line: '  password: [Filtered]',
      post_context: ['  token: |', '    [Filtered]', '  host: db'],
    });
  });

  it('keep their number of lines, whatever is removed', () => {
    const frame = frameOf({
      filename: 'a.py',
      pre_context: ['KEY = """-----BEGIN RSA PRIVATE KEY-----', 'MIIcnryLineOne', 'MIIcnryLineTwo'],
      context_line: '-----END RSA PRIVATE KEY-----"""',
      post_context: ['connect(KEY)'],
    });
    expect(frame?.pre_context).toHaveLength(3);
    expect(frame?.post_context).toEqual(['connect(KEY)']);
    expect(JSON.stringify(frame)).not.toContain('cnry');
  });
});

describe('unknown fields of an event', () => {
  it('lose their secrets', () => {
    const event = scrubbed({
      message: 'x',
      release: `shop@1.0+token=${secret}`,
      debug_meta: {
        images: [{ type: 'sourcemap', code_file: `https://a.test/app.js?token=${secret}`, debug_id: 'x' }],
      },
      user: { email: `token=${secret}` },
    });
    expect(JSON.stringify(event)).not.toContain(secret);
  });

  it('keep other values', () => {
    const kept = {
      release: 'shop@3f2a1b9c4d5e6f708192a3b4c5d6e7f809182736',
      dist: '1.2.3.4',
      debug_meta: {
        images: [
          {
            type: 'sourcemap',
            code_file: 'https://a.test/app.js',
            debug_id: '550e8400-e29b-41d4-a716-446655440000',
          },
        ],
      },
      user: { email: 'ann@x.test' },
    };
    expect(scrubbed({ message: 'x', ...kept })).toMatchObject(kept);
  });

  it('keep a digest although its digits look like a card', () => {
    const text = 'fixed in 1d9c7d56ce5266046409167ba31fb9aa079c3d9e';
    expect(scrubbed({ message: text }).logentry?.formatted).toBe(text);
  });
});

describe("a project's own names", () => {
  const own = { scrubFields: ['shoe size', 'Kundennummer'], storeIpAddresses: false };

  it.each([
    'shoe_size=XX42',
    'shoeSize: "XX42"',
    '{"shoe-size":"XX42"}',
    'Kundennummer → XX42',
    '<shoe_size>XX42</shoe_size>',
    "set('shoe_size', 'XX42')",
  ])('are found in %s', (text) => {
    expect(scrubProjectText(text, own)).not.toContain('XX42');
    expect(scrubProjectText(text, project)).toBe(text);
  });

  it('are found in free-form fields of a record, and not in its own fields', () => {
    const record = { kundennummer: 'kept', metadata: { Kundennummer: 'XX42', note: 'a' } };
    expect(scrubRecord(record, { kundennummer: 'text', metadata: 'text' }, own)).toEqual({
      kundennummer: 'kept',
      metadata: { Kundennummer: '[Filtered]', note: 'a' },
    });
    expect(scrubNamedValue('Kundennummer', 'XX42', own)).toEqual(['Kundennummer', '[Filtered]']);
  });
});

describe('records', () => {
  it('are scrubbed field by field', () => {
    const record = {
      version: '1.2.3.4',
      note: `token=${secret}`,
      count: 3,
      none: null,
      kept: `token=${secret}`,
      list: [`password=${secret}`],
    };
    const kinds = {
      version: 'version',
      note: 'text',
      count: 'kept',
      none: 'text',
      kept: 'kept',
      list: 'text',
    } as const;
    expect(scrubRecord(record, kinds, project)).toEqual({
      version: '1.2.3.4',
      note: 'token=[Filtered]',
      count: 3,
      none: null,
      kept: `token=${secret}`,
      list: ['password=[Filtered]'],
    });
  });

  it('stay distinct where only their secrets differ', () => {
    const [one, other] = ['a', 'b'].map((end) => scrubIdentity(`deploy token=${secret}${end}`, project));
    expect(one).not.toBe(other);
    expect(one).toMatch(/^deploy token=\[Filtered\] #[0-9a-f]{16}$/);
    expect(scrubIdentity('deploy-2026-11-21', project)).toBe('deploy-2026-11-21');
    expect(scrubIdentity(one ?? '', project)).toBe(one);
  });

  it('keep versions and the names of files', () => {
    for (const text of [
      'v1.2.3.4',
      'shop@2.4.1+build.5',
      '3f2a1b9c4d5e6f708192a3b4c5d6e7f809182736',
      'feature-password-reset',
    ]) {
      expect(scrubVersion(text, project)).toBe(text);
    }
    for (const text of [
      '~/static/js/token.3f2a1b9c.js',
      'https://cdn.test/auth/[token].js?v=1.2',
      '~/reset/page-8f14e45fceea167a.js',
    ]) {
      expect(scrubFileName(text, project)).toBe(text);
    }
  });
});

describe('the log and error messages', () => {
  it('have no secrets; an operator still sees IP addresses', () => {
    const line = {
      path: `/releases/token=${secret}`,
      fault: { message: `bad password=${secret}`, stack: 'at a (/app/auth.ts:1:2)' },
      host: '10.0.0.5:8787',
      projectId: 1,
    };
    expect(scrubLogFields(line)).toEqual({
      path: '/releases/token=[Filtered]',
      fault: { message: 'bad password=[Filtered]', stack: 'at a (/app/auth.ts:1:2)' },
      host: '10.0.0.5:8787',
      projectId: 1,
    });
    const deep = (levels: number, text: string): object =>
      levels === 1 ? { a: text } : { a: deep(levels - 1, text) };
    expect(scrubLogFields({ deep: deep(5, `password=${secret}`) })).toEqual({
      deep: deep(5, 'password=[Filtered]'),
    });
    // Deeper than that nothing is shown.
    expect(JSON.stringify(scrubLogFields({ deep: deep(9, `password=${secret}`) }))).not.toContain(secret);
    expect(scrubLogFields({ deep: deep(6, 'plain') })).toEqual({ deep: deep(5, '[Filtered]') });
    expect(scrubQueryParameter('token', secret)).toEqual(['token', '[Filtered]']);
    expect(scrubQueryParameter('search', `password=${secret}`)).toEqual(['search', 'password=[Filtered]']);
    expect(scrubQueryParameter('search', 'resets the password')).toEqual(['search', 'resets the password']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { AdaptiveCard, SerializationContext, Versions } from 'adaptivecards';
import { buildMessageBody as bodyOf, buildDelivery } from '../../../src/core/alerts/message-bodies.ts';
import { channelTypes } from '../../../src/core/alerts/messages/channel-types.ts';
import type { AlertMessage } from '../../../src/core/alerts/messages/message.ts';
import { expectGolden } from '../../golden/golden.ts';

const settings = {};
const buildMessageBody = (type: string, told: AlertMessage) => bodyOf({ type, settings }, told);

function faultsOf(card: object): string[] {
  const context = new SerializationContext(Versions.v1_4);
  new AdaptiveCard().parse(card, context);
  return Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message);
}

const base = 'https://errors.example';
function message(
  titles: readonly string[],
  count = titles.length,
  pagesUrl: string | null = base,
): AlertMessage {
  return {
    id: 'msg_1',
    type: 'issue.is_new',
    atMs: Date.UTC(2026, 10, 21, 12),
    subject: count === 1 ? `#1 is new: ${titles[0]}` : `${count} issues are new`,
    reason: 'The rule “New issues” notifies “On call”: an issue is new.',
    path: '/issues',
    url: pagesUrl === null ? null : `${pagesUrl}/issues`,
    stopUrl: pagesUrl === null ? null : `${pagesUrl}/alert-channels/rules/1`,
    unsubscribeUrl: pagesUrl === null ? null : `${pagesUrl}/alert-channels/1/unsubscribe`,
    rule: { id: 1, name: 'New issues' },
    channel: { id: 1, name: 'On call' },
    count,
    noun: 'issue',
    objects: [],
    issues: titles.map((title, at) => ({
      issueId: at + 1,
      project: 'shop',
      title,
      culprit: 'cart.js in pay',
      note: '',
      level: 'error',
      events: 1_234,
      users: 1,
      url: pagesUrl === null ? null : `${pagesUrl}/issues/${at + 1}`,
    })),
    overflow: [{ project: 'shop', events: 9_000, issueId: 99 }],
    incidents: { count: 0, named: [] },
    details: null,
  };
}

function withIncidents(told: AlertMessage, titles: readonly string[], count = titles.length): AlertMessage {
  const named = titles.map((title, at) => ({
    id: at + 40,
    title,
    url: told.url === null ? null : `${base}/incidents/${at + 40}`,
  }));
  return { ...told, incidents: { count, named } };
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1);
  } catch {
    return body;
  }
}

const nasty = [
  '<!channel> <@U123> <https://evil.example|click> & </b>',
  '@channel @all @here @everyone <@&1>',
  '[click](https://evil.example) **bold** `code` ![x](https://evil.example/x.png)',
  'two\r\nlines\u0000\u202e and\u2028more',
];

describe('the body of a message', () => {
  const messages: Array<[string, AlertMessage]> = [
    ['one issue', message(['TypeError: x is undefined'])],
    ['ten issues of a thousand', message(new Array(10).fill('TypeError: '.padEnd(200, 'x')), 1_000)],
    ['hostile titles', message(nasty)],
    ['no pages to link to', message(['TypeError'], 1, null)],
    ['an incident', withIncidents(message(['TypeError']), ['#1 is new: TypeError'])],
    ['incidents with no pages to link to', withIncidents(message(['TypeError'], 1, null), ['TypeError'])],
    [
      'ten incidents of twelve',
      withIncidents(
        message(new Array(10).fill('TypeError: '.padEnd(200, 'x')), 1_000),
        new Array(10).fill('#1 is new: TypeError: '.padEnd(200, 'x')),
        12,
      ),
    ],
    ['hostile incidents', withIncidents(message(nasty), nasty)],
    [
      'a long reason',
      {
        ...message(new Array(10).fill('TypeError: '.padEnd(200, '<')), 1_000),
        reason: `The rule notifies “On call” of “${'R&D, '.repeat(1_000)}”.`,
      },
    ],
    ['a test', { ...message([], 0), type: 'test', rule: null, overflow: [] }],
  ];

  // A notification of a browser opens one page, and has no room for more.
  const linking = channelTypes.filter((type) => type !== 'webpush');

  it.each(messages)('of %s has its form and is the stored one', (name, each) => {
    const bodies = channelTypes.map((type) => [type, buildMessageBody(type, each)] as const);
    for (const [type, body] of bodies.filter(([of]) => of !== 'webpush')) {
      expect([type, body.includes('notifies')]).toEqual([type, true]);
      if (each.stopUrl !== null) expect([type, body.includes(each.stopUrl)]).toEqual([type, true]);
    }
    // What is cut is in the other messages.
    if (/thousand|twelve|long|hostile/.test(name)) return;
    expectGolden(
      `messages/${name.replaceAll(' ', '-')}.txt`,
      bodies.map(([type, body]) => `${type}\n${readable(body)}\n`).join('\n'),
    );
  });

  it.each(messages)('of %s on teams is a valid card', (_name, each) => {
    const { content } = JSON.parse(buildMessageBody('teams', each)).attachments[0];
    expect(faultsOf(content)).toEqual([]);
    const [first, ...rest] = content.body;
    expect(faultsOf({ ...content, body: [{ ...first, weight: 'Bolderr' }, ...rest] })).toHaveLength(1);
    expect(faultsOf({ ...content, actions: [{ type: 'Action.Nothing' }] })).toHaveLength(1);
  });

  it('mentions nobody, and has no link taken from an error', () => {
    const told = withIncidents(message(nasty), nasty);
    const { blocks } = JSON.parse(buildMessageBody('slack', told));
    const shown = JSON.stringify(blocks);
    expect(shown.match(/<[^>]*>/g)?.filter((link) => !link.startsWith(`<${base}/`))).toEqual([]);
    for (const type of ['mattermost', 'discord', 'teams'] as const) {
      const body = buildMessageBody(type, told);
      const where = type === 'discord' ? JSON.parse(body).embeds[0].description : body;
      expect([type, where.match(/@(?:channel|all|here|everyone)/)]).toEqual([type, null]);
      expect([type, where.match(/\]\((?!https:\/\/errors\.example\/)/)]).toEqual([type, null]);
      expect([type, where.includes('https://evil.example')]).toEqual([type, false]);
    }
  });

  it.each(channelTypes)('on %s has a fixed number of lines, however many an error has', (type) => {
    const inLines = 'one\r\ntwo\u2028three\u0085four\u202efive\u200bsix';
    const plain = message(['one two three four five six']);
    const [issue] = plain.issues as [AlertMessage['issues'][number]];
    const told = {
      ...plain,
      subject: `#1 is new: ${inLines}`,
      issues: [{ ...issue, title: inLines, culprit: `cart.js\n\nin pay`, project: 'shop\n' }],
      overflow: plain.overflow.map((each) => ({ ...each, project: '\rshop' })),
    };
    expect(buildMessageBody(type, told)).toBe(buildMessageBody(type, plain));
    const channel = { id: 1, type, settings };
    expect(buildDelivery(channel, told, 1).subject).toBe(buildDelivery(channel, plain, 1).subject);
  });

  it.each(channelTypes.filter((type) => type !== 'webhook'))('on %s links to Notifier only', (type) => {
    const titles = [
      'see https://evil.com/login and HTTP://EVIL.COM, ftp://evil.zone',
      'see www.evil.com, evil.co.uk/login, login.evil.com or mailto:a@evil.com',
      'pay by tel:+4912345, ask boss@evil.de',
    ];
    const told = withIncidents(message(titles), titles);
    const objects = titles.map((title) => ({ id: 1, project: title, title, detail: title, url: null }));
    const written = buildMessageBody(type, { ...told, objects, subject: titles.join(' ') });
    const { subject } = buildDelivery({ id: 1, type, settings }, { ...told, subject: titles.join(' ') }, 1);
    for (const text of [written, subject]) {
      const strange = text
        .replaceAll('\\', '')
        .replaceAll(base, '')
        .replaceAll('http://adaptivecards.io', '');
      expect(
        strange.match(/[a-z]:\/\/|www\.\w|\w@\w|\w\.(?:com|de|co|uk|zone)\b|mailto:\w|tel:\+/gi),
      ).toBeNull();
      // What is read is what was written.
      expect(strange.replaceAll('\u200b', '')).toContain('www.evil.com');
    }
  });

  it('has no encoded word in its subject taken from an error', () => {
    const encoded = '=?UTF-8?B?aHR0cHM6Ly9ldmlsLmNvbQ==?=';
    const { subject } = buildDelivery({ id: 1, type: 'ntfy', settings }, { ...message([encoded]) }, 1);
    expect(subject).not.toContain('=?');
  });

  it('keeps the text of an error in one line for webhooks', () => {
    const { data } = JSON.parse(
      buildMessageBody('webhook', message(['see https://evil.com\nand a@evil.com'])),
    );
    expect(data.issues[0].title).toBe('see https://evil.com and a@evil.com');
  });

  it.each(linking)('on %s names its incidents, and links to them', (type) => {
    const told = withIncidents(message(['TypeError']), ['#1 is new: TypeError', 'The till is silent'], 12);
    const body = buildMessageBody(type, told).replaceAll('\\', '').replaceAll('\u200b', '');
    expect(body).toContain('The till is silent');
    expect(body).toMatch(type === 'webhook' ? /"incident_id":41/ : /Incident #41: The till is silent/);
    expect(body).toContain(`${base}/incidents/41`);
    expect(body).toMatch(/and 10 more incidents|"incidents_count":12/);
    // Who reads what has none meets what was there before.
    expect(buildMessageBody(type, message(['TypeError']))).not.toMatch(/incident/i);
  });

  it('shows how many more there are, and what is over the limit', () => {
    for (const type of channelTypes) {
      const body = buildMessageBody(type, message(new Array(10).fill('a'), 1_000)).replaceAll('\\', '');
      expect([type, /990 more issues|"issues_count":1000/.test(body)]).toEqual([type, true]);
      expect([type, /9,000 events over the limit|"events":9000/.test(body)]).toEqual([type, true]);
    }
  });
});

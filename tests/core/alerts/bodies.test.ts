// A message as each type of channel takes it. The forms of the chats are checked against what the services'
// pages say of them (incoming webhooks of Slack, Discord and Mattermost, cards of Teams' workflows), written
// down here: no package of theirs holds a schema of them.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { bodyOf } from '../../../src/core/alerts/bodies.ts';
import type { AlertMessage } from '../../../src/core/alerts/message.ts';
import { channelTypes } from '../../../src/core/store/alerts.ts';

const url = z.url();
const mrkdwn = z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3000) });
const slack = z.strictObject({
  text: z.string().min(1),
  unfurl_links: z.boolean(),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('section'), text: mrkdwn }),
        z.strictObject({ type: z.literal('context'), elements: z.array(mrkdwn).min(1).max(10) }),
      ]),
    )
    .min(1)
    .max(50),
});
const mattermost = z.strictObject({ text: z.string().min(1).max(16_383) });
const discord = z.strictObject({
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        url: url.optional(),
        description: z.string().min(1).max(4096),
        timestamp: z.iso.datetime(),
      }),
    )
    .length(1),
  allowed_mentions: z.strictObject({ parse: z.array(z.string()).length(0) }),
});
const textBlock = z.strictObject({
  type: z.literal('TextBlock'),
  text: z.string().min(1),
  wrap: z.boolean(),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  size: z.enum(['Small', 'Default', 'Medium', 'Large', 'ExtraLarge']).optional(),
  isSubtle: z.boolean().optional(),
  separator: z.boolean().optional(),
  spacing: z.enum(['None', 'Small', 'Default', 'Medium', 'Large', 'ExtraLarge', 'Padding']).optional(),
});
const teams = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.4'),
          fallbackText: z.string(),
          body: z.array(textBlock).min(1),
          actions: z
            .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string(), url }))
            .optional(),
        }),
      }),
    )
    .length(1),
});
const webhook = z.looseObject({ type: z.string(), timestamp: z.iso.datetime(), data: z.looseObject({}) });
const text = z.string().refine((body) => Buffer.byteLength(body) <= 4096);

const schemas = { slack, mattermost, discord, teams, webhook } as const;

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
    why: 'The rule “New issues” tells “On call”: an issue is new.',
    path: '/issues',
    url: pagesUrl === null ? null : `${pagesUrl}/issues`,
    stopUrl: pagesUrl === null ? null : `${pagesUrl}/alert-channels/rules/1`,
    rule: { id: 1, name: 'New issues' },
    channel: { id: 1, name: 'On call' },
    count,
    issues: titles.map((title, at) => ({
      issueId: at + 1,
      project: 'shop',
      title,
      culprit: 'cart.js in pay',
      level: 'error',
      events: 1_234,
      users: 1,
      url: pagesUrl === null ? null : `${pagesUrl}/issues/${at + 1}`,
    })),
    overflow: [{ project: 'shop', events: 9_000, issueId: 99 }],
  };
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
    ['a test', { ...message([], 0), type: 'test', rule: null, overflow: [] }],
  ];

  it.each(channelTypes.flatMap((type) => messages.map(([name, each]) => [type, name, each] as const)))(
    'of %s on %s has its form',
    (type, _name, each) => {
      const body = bodyOf(type, each);
      if (type === 'email' || type === 'ntfy') expect(text.safeParse(body).success).toBe(true);
      else expect(schemas[type].safeParse(JSON.parse(body)).error).toBeUndefined();
      expect(body).toContain('tells');
      if (each.stopUrl !== null && type !== 'ntfy') expect(body).toContain(each.stopUrl);
    },
  );

  it('calls nobody, and links nowhere that an error says', () => {
    const { blocks } = JSON.parse(bodyOf('slack', message(nasty)));
    const shown = JSON.stringify(blocks);
    expect(shown.match(/<[^>]*>/g)?.filter((link) => !link.startsWith(`<${base}/`))).toEqual([]);
    for (const type of ['mattermost', 'discord', 'teams'] as const) {
      const body = bodyOf(type, message(nasty));
      const where = type === 'discord' ? JSON.parse(body).embeds[0].description : body;
      expect([type, where.match(/@(?:channel|all|here|everyone)/)]).toEqual([type, null]);
      expect([type, where.match(/\]\((?!https:\/\/errors\.example\/)/)]).toEqual([type, null]);
      expect([type, where.includes('https://evil.example')]).toEqual([type, false]);
    }
  });

  it('says how many more there are, and what is over the limit', () => {
    for (const type of channelTypes) {
      const body = bodyOf(type, message(new Array(10).fill('a'), 1_000)).replaceAll('\\', '');
      expect([type, /990 more issues|"issues_count":1000/.test(body)]).toEqual([type, true]);
      expect([type, /9,000 events over the limit|"events":9000/.test(body)]).toEqual([type, true]);
    }
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { helpPages } from '../../../routes/pages/index.ts';
import { commandLineSource } from '../../../src/core/audit/audit.ts';
import { createMemberLink } from '../../../src/core/members/links.ts';
import { createMember } from '../../../src/core/members/members.ts';
import { minuteMs } from '../../../src/core/parsing/durations.ts';
import { type MailServer, startMailServer } from '../../support/alerts/mail-server.ts';
import { type OpenedPages, openPages } from '../../support/pages.ts';
import { until } from '../../support/until.ts';

let mail: MailServer;
let pages: OpenedPages;
beforeAll(async () => {
  mail = await startMailServer();
  pages = await openPages({
    declarations: helpPages(),
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      RATE_LIMITS: 'on',
      RATE_LIMIT_SIGN_IN_PER_MINUTE: '100',
      HOST: 'pages.example',
    },
  });
});
afterAll(async () => {
  await pages.close();
  await mail.close();
});

const ask = (email: string) => pages.browser().post('/sign-in/mail', { email, next: '/help' });
const said = 'If this address belongs to a member, a link is on its way. It works once, for 15 minutes.';
const tokenIn = (text = ''): string =>
  /sign-in\?token=(\w{43})/.exec(text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';

it('mails a link to a member’s address, used up by its button and not by a scanner', async () => {
  const email = 'Mara@harbourpine.example';
  const member = await createMember(pages.deps, { name: 'Mara', role: 'member', email }, commandLineSource);
  const invitation = await createMemberLink(pages.deps, member.id);
  const answer = await ask('mara@HARBOURPINE.example');
  expect([answer.status, answer.text.replaceAll(/\s+/g, ' ')]).toEqual([200, expect.stringContaining(said)]);
  await until(() => mail.mails.length === 1);
  expect(mail.mails[0]?.to).toEqual([email]);
  // Of the configured address, whatever Host the stranger sent.
  expect(mail.mails[0]?.text).toContain('http://pages.example:');
  const token = tokenIn(mail.mails[0]?.text);
  const browser = pages.browser();
  expect((await browser.get(`/sign-in?token=${token}`)).text).toContain('<bdi>Mara</bdi>');
  expect(await browser.get(`/sign-in?token=${token}`)).toHaveStatus(200);
  expect(await browser.post('/sign-in', { link: token })).toHaveStatus(303);
  expect(await pages.browser().post('/sign-in', { link: token })).toHaveStatus(410);
  const [session] = await pages.deps.store.listSessions({ memberId: member.id }, pages.deps.now());
  expect(session?.signedInBy).toBe('by an e-mail link');
  // What anybody may ask for takes no link away that an admin made.
  expect(await pages.browser().post('/sign-in', { link: invitation.token })).toHaveStatus(303);
});

it('answers the same for an unknown address, sends nothing, and is limited by address', async () => {
  const answers = [];
  for (let count = 0; count < 4; count += 1) answers.push(await ask('nobody@harbourpine.example'));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[0]?.text.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(answers[3]?.text).toContain('Too many links were requested');
  pages.advance(15 * minuteMs);
  expect(await ask('nobody@harbourpine.example')).toHaveStatus(200);
  expect(mail.mails).toHaveLength(1);
});

it.each(['mara@', 'mara', 'mara@harbourpine', 'a b@c.example', 'x@y.example, z@y.example'])(
  'explains what is wrong with “%s”, and keeps it in the field',
  async (email) => {
    const { status, text } = await ask(email);
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('Enter a full address, such as name@company.example.'),
    ]);
    expect(text).toContain(`value="${email}"`);
  },
);

it('accepts the form from its own page only', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await pages.browser().post('/sign-in/mail', { email: 'mara@harbourpine.example' }, headers);
  expect(answer).toHaveStatus(403);
});

it('shows the configured methods, and the form for the token behind a link', async () => {
  const text = (await pages.browser().get('/sign-in?next=%2Fhelp')).text;
  expect(text).toContain('E-mail me a sign-in link');
  expect(text).not.toContain('Workspace token');
  expect(text).not.toContain('Continue with');
  expect(text).toContain('href="/sign-in?next=%2Fhelp&amp;with=token"');
  expect((await pages.browser().get('/sign-in?with=token')).text).toContain('Workspace token');
});

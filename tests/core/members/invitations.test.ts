import { expect, it } from '@jest/globals';
import { silentLog } from '../../../src/app/log.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { mailInvitation } from '../../../src/core/members/invitations.ts';
import type { Member } from '../../../src/core/store/members.ts';

const member = { name: 'Pia', email: 'pia@shop.example', role: 'viewer' } as Member;
const link = { url: 'https://errors.example/sign-in?token=secret', invitedBy: 'Mara' };

function partsWith(canMail: boolean, ok = true) {
  const mails: Array<Record<string, unknown>> = [];
  const said: string[] = [];
  const mail = async (message: object) => {
    mails.push({ ...message });
    return { ok, status: null, detail: ok ? '' : '550 no such user' };
  };
  const log = { ...silentLog, warn: (fields: object) => void said.push(JSON.stringify(fields)) };
  const parts = {
    notificationSender: { canMail, mail },
    log,
    now: () => 0,
    randomBytes: (n: number) => Buffer.alloc(n),
  };
  return { mails, said, parts: parts as unknown as Deps };
}

it('an invitation is mailed with its link, to its address only', async () => {
  const { mails, parts } = partsWith(true);
  expect(await mailInvitation(parts, member, link)).toBe(true);
  expect(mails).toMatchObject([
    { to: 'pia@shop.example', subject: 'Mara invites you to Notifier at errors.example', html: null },
  ]);
  expect(mails[0]?.['text']).toContain(`for 7 days:\n\n${link.url}\n`);
});

it('an invitation is not mailed without a mail server or an address', async () => {
  const without = partsWith(false);
  expect(await mailInvitation(without.parts, member, link)).toBeNull();
  const { mails, parts } = partsWith(true);
  expect(await mailInvitation(parts, { ...member, email: null }, link)).toBeNull();
  expect([...without.mails, ...mails]).toEqual([]);
});

it('a refusal by the mail server is reported, without the link in the log', async () => {
  const { said, parts } = partsWith(true, false);
  expect(await mailInvitation(parts, member, link)).toBe(false);
  expect(said).toEqual(['{"detail":"550 no such user"}']);
});

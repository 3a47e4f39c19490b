// Who is told of what happens: two channels, paused from the beginning, because nobody is there to hear what
// a demo would send.
import { changeChannel, createChannel } from '../../src/core/alerts/channels.ts';
import { actAudited } from '../../src/core/audit/audit.ts';
import { toldOfChannel } from '../../src/core/audit/told-alerts.ts';
import { home } from './company.ts';
import { byOf } from './people.ts';
import type { Step, World } from './world.ts';

const channels = [
  { type: 'mattermost', name: 'Shop errors', url: `https://chat.${home}/hooks/8kq3xw1x7b8z3nq5hd` },
  {
    type: 'webhook',
    name: 'On call',
    url: `https://ops.${home}/notifier`,
    quiet_hours: '22:00 to 07:00 Europe/Berlin',
  },
] as const;

/** Channels of the workspace, made just now: none of the year is told. */
export function channelSteps(world: World): Step[] {
  return channels.map((asked) => ({ atMs: world.nowMs, take: () => make(world, asked) }));
}

/** Their secrets open something: they are drawn, and follow from nothing. */
async function make(world: World, asked: (typeof channels)[number]): Promise<void> {
  const by = byOf(world, 'Mara Feld');
  await actAudited(world.drawing, by, async (parts) => {
    const { channel } = await createChannel(parts, null, asked, by.actor.name);
    const paused = await changeChannel(parts, null, channel.id, { paused: true });
    return { result: undefined, told: toldOfChannel(paused, 'channel.created') };
  });
}

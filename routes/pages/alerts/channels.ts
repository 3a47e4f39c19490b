import type { z } from 'zod';
import {
  createChannel,
  deleteChannel,
  retryChannel,
  testChannel,
  updateChannel,
} from '../../../src/core/alerts/channels.ts';
import { byVisit } from '../../../src/core/audit/audit.ts';
import { channelModel } from '../../../src/core/workspace/uptime/channel.ts';
import {
  channelSettingsModel,
  newChannelModel,
  newRuleModel,
} from '../../../src/core/workspace/uptime/channel-forms.ts';
import { channelsModel } from '../../../src/core/workspace/uptime/channels.ts';
import { ruleModel, rulesModel } from '../../../src/core/workspace/uptime/rules.ts';
import { inWords, pathNumber, type Visit } from '../../../src/core/workspace/visit.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../../src/http/pages/declare.ts';
import {
  channelForm,
  channelMadePage,
  channelSettingsPage,
  deleteChannelPage,
  newChannelForm,
  newChannelPage,
  newRuleForm,
  newRulePage,
} from '../../../src/pages/alerts/forms.ts';
import type { Posted } from '../../../src/pages/parts/form.ts';
import { channelPage } from '../../../src/pages/uptime/channel.ts';
import { channelsPage } from '../../../src/pages/uptime/channels.ts';
import { rulePage } from '../../../src/pages/uptime/rule.ts';
import { rulesPage } from '../../../src/pages/uptime/rules.ts';
import { pausedFor, pauseForm } from '../uptime/pause.ts';
import { changeRuleAct, makeRule } from './rules.ts';

const one = '/alert-channels/{channel_id}';
const rules = '/alert-channels/rules';

export function alertPages(): Declaration[] {
  return [
    page({ path: '/alert-channels', model: channelsModel, view: channelsPage }),
    page({ path: '/alert-channels/new', needs: 'admin', model: newChannelModel, view: newChannelPage }),
    act({ path: '/alert-channels', needs: 'admin', form: newChannelForm.schema, act: make }),
    page({ path: rules, model: rulesModel, view: rulesPage }),
    page({ path: `${rules}/new`, needs: 'admin', model: newRuleModel, view: newRulePage }),
    act({ path: rules, needs: 'admin', form: newRuleForm.schema, act: makeRule }),
    page({ path: `${rules}/{rule_id}`, model: ruleModel, view: rulePage }),
    changeRuleAct,
    page({ path: one, model: channelModel, view: channelPage }),
    page({ path: `${one}/settings`, needs: 'admin', model: channelSettingsModel, view: channelSettingsPage }),
    act({ path: `${one}/settings`, needs: 'admin', form: channelForm.schema, act: change }),
    page({ path: `${one}/delete`, needs: 'admin', model: channelSettingsModel, view: deleteChannelPage }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
    act({ path: `${one}/test`, needs: 'admin', act: test }),
    act({ path: `${one}/retry`, needs: 'admin', act: retry }),
    act({ path: `${one}/pause`, needs: 'admin', form: pauseForm, act: pause }),
    act({ path: `${one}/resume`, needs: 'admin', act: resume }),
  ];
}

function idOf(visit: Visit): number {
  return pathNumber(visit, 'channel_id', 'An alert channel with this number');
}

async function make(visit: Visit, { target, ...form }: Posted<typeof newChannelForm>): Promise<ActAnswer> {
  const asked = { ...form, ...(form.type === 'email' ? { to: target } : { url: target }) };
  const making = createChannel(visit.deps, null, asked, byVisit(visit));
  const { channel, madeSecret } = await inWords(making);
  if (madeSecret === null) return { to: `/alert-channels/${channel.id}` };
  const shown = { channel_id: channel.id, name: channel.name, secret: madeSecret };
  return { status: 200, view: (frame) => channelMadePage(shown, frame) };
}

async function change(
  visit: Visit,
  { name, target, quiet_hours: quiet = '' }: Posted<typeof channelForm>,
): Promise<ActAnswer> {
  const { type } = await channelSettingsModel(visit);
  const leads = target === undefined ? {} : type === 'email' ? { to: target } : { url: target };
  return changed(visit, { name, quiet_hours: quiet, ...leads });
}

async function changed(visit: Visit, asked: Parameters<typeof updateChannel>[3]): Promise<ActAnswer> {
  const id = idOf(visit);
  await inWords(updateChannel(visit.deps, null, id, asked, byVisit(visit)));
  return { to: `/alert-channels/${id}` };
}

async function test(visit: Visit): Promise<ActAnswer> {
  const id = idOf(visit);
  await testChannel(visit.deps, null, id, visit.pagesUrl, byVisit(visit));
  return { to: `/alert-channels/${id}`, notice: 'channel-tested' };
}

async function retry(visit: Visit): Promise<ActAnswer> {
  const id = idOf(visit);
  await retryChannel(visit.deps, null, id, byVisit(visit));
  return { to: `/alert-channels/${id}` };
}

async function pause(visit: Visit, form: z.infer<typeof pauseForm>): Promise<ActAnswer> {
  return changed(visit, pausedFor(visit, form));
}

async function resume(visit: Visit): Promise<ActAnswer> {
  return changed(visit, { paused: false });
}

async function remove(visit: Visit): Promise<ActAnswer> {
  await deleteChannel(visit.deps, null, idOf(visit), byVisit(visit));
  return { to: '/alert-channels' };
}

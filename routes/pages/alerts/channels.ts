import type { z } from 'zod';
import {
  deleteChannel,
  retryChannel,
  testChannel,
  unsubscribe,
  updateChannel,
} from '../../../src/core/alerts/channels.ts';
import { removeSubscription, subscribeBrowser } from '../../../src/core/alerts/push-subscriptions.ts';
import { requestSource } from '../../../src/core/audit/audit.ts';
import { channelModel } from '../../../src/core/page-models/monitoring/channel.ts';
import {
  channelSettingsModel,
  findOwnMember,
  newChannelModel,
  newChannelOfTypeModel,
  newRuleModel,
  newRuleOfKindModel,
  unsubscribeModel,
} from '../../../src/core/page-models/monitoring/channel-forms.ts';
import { channelsModel } from '../../../src/core/page-models/monitoring/channels.ts';
import { ruleModel, rulesModel } from '../../../src/core/page-models/monitoring/rules.ts';
import { pathId, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import { findThisBrowser, signedInMember } from '../../../src/core/page-models/sign-in-settings.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
  page,
} from '../../../src/http/pages/declarations.ts';
import {
  editChannelPage,
  newChannelOfTypePage,
  newChannelPage,
} from '../../../src/web/alerts/channel-form.ts';
import { deleteChannelPage, unsubscribePage } from '../../../src/web/alerts/forms.ts';
import { rulePage } from '../../../src/web/alerts/rule.ts';
import { newRuleOfKindPage, newRulePage } from '../../../src/web/alerts/rule-form.ts';
import { browserSchema } from '../../../src/web/uptime/browsers.ts';
import { channelPage } from '../../../src/web/uptime/channel.ts';
import { channelsPage } from '../../../src/web/uptime/channels.ts';
import { rulesPage } from '../../../src/web/uptime/rules.ts';
import { pauseForm, toPauseChange } from '../uptime/pause.ts';
import { changeChannelAction, createChannelAction } from './channel-form.ts';
import { changeRuleAction, createRuleAction } from './rules.ts';

const one = '/alert-channels/{channel_id}';
const rules = '/alert-channels/rules';

export function alertPages(): Declaration[] {
  return [
    page({ path: '/alert-channels', model: channelsModel, view: channelsPage }),
    page({ path: '/alert-channels/new', needs: 'admin', model: newChannelModel, view: newChannelPage }),
    page({
      path: '/alert-channels/new/{type}',
      needs: 'admin',
      model: newChannelOfTypeModel,
      view: newChannelOfTypePage,
    }),
    createChannelAction,
    page({ path: rules, model: rulesModel, view: rulesPage }),
    page({ path: `${rules}/new`, needs: 'admin', model: newRuleModel, view: newRulePage }),
    page({ path: `${rules}/new/{on}`, needs: 'admin', model: newRuleOfKindModel, view: newRuleOfKindPage }),
    createRuleAction,
    page({ path: `${rules}/{rule_id}`, model: ruleModel, view: rulePage }),
    changeRuleAction,
    page({ path: one, model: channelModel, view: channelPage }),
    action({
      path: `${one}/browsers`,
      needs: 'viewer',
      form: browserSchema,
      act: subscribe,
      again: {
        model: channelModel,
        view: (model, frame, { wrong }) => channelPage(model, frame, wrong['subscription']),
      },
    }),
    action({ path: `${one}/browsers/{subscription_id}/remove`, needs: 'viewer', act: removeBrowser }),
    page({ path: `${one}/settings`, needs: 'admin', model: channelSettingsModel, view: editChannelPage }),
    changeChannelAction,
    page({ path: `${one}/delete`, needs: 'admin', model: channelSettingsModel, view: deleteChannelPage }),
    action({ path: `${one}/delete`, needs: 'admin', form: confirmationForm, act: remove }),
    page({ path: `${one}/unsubscribe`, model: unsubscribeModel, view: unsubscribePage }),
    action({ path: `${one}/unsubscribe`, needs: 'viewer', form: confirmationForm, act: leave }),
    action({ path: `${one}/test`, needs: 'admin', act: test }),
    action({ path: `${one}/retry`, needs: 'admin', act: retry }),
    action({ path: `${one}/pause`, needs: 'admin', form: pauseForm, act: pause }),
    action({ path: `${one}/resume`, needs: 'admin', act: resume }),
  ];
}

function idOf(context: RequestContext): number {
  return pathId(context, 'channel_id', 'An alert channel with this number');
}

async function changed(
  context: RequestContext,
  changes: Parameters<typeof updateChannel>[3],
): Promise<ActionResult> {
  const id = idOf(context);
  await updateChannel(context.deps, null, id, changes, requestSource(context));
  return { to: `/alert-channels/${id}` };
}

async function test(context: RequestContext): Promise<ActionResult> {
  const id = idOf(context);
  await testChannel(context.deps, null, id, context.pagesUrl, requestSource(context));
  return { to: `/alert-channels/${id}`, notice: 'channel-tested' };
}

async function subscribe(
  context: RequestContext,
  { subscription }: z.infer<typeof browserSchema>,
): Promise<ActionResult> {
  const id = idOf(context);
  const given = { subscription, device: (await findThisBrowser(context)) ?? 'Browser' };
  await subscribeBrowser(context.deps, id, await signedInMember(context), given, requestSource(context));
  return { to: `/alert-channels/${id}` };
}

async function removeBrowser(context: RequestContext): Promise<ActionResult> {
  const channelId = idOf(context);
  const subscriptionId = pathId(context, 'subscription_id', 'One of your browsers with this number');
  const at = { channelId, subscriptionId };
  await removeSubscription(context.deps, at, context.currentUser, requestSource(context));
  return { to: `/alert-channels/${channelId}` };
}

async function retry(context: RequestContext): Promise<ActionResult> {
  const id = idOf(context);
  await retryChannel(context.deps, null, id, requestSource(context));
  return { to: `/alert-channels/${id}` };
}

async function pause(context: RequestContext, form: z.infer<typeof pauseForm>): Promise<ActionResult> {
  return changed(context, toPauseChange(context, form));
}

async function resume(context: RequestContext): Promise<ActionResult> {
  return changed(context, { paused: false });
}

async function leave(context: RequestContext): Promise<ActionResult> {
  const id = idOf(context);
  await unsubscribe(context.deps, id, await findOwnMember(context), requestSource(context));
  return { to: '/alert-channels', notice: 'channel-left' };
}

async function remove(context: RequestContext): Promise<ActionResult> {
  await deleteChannel(context.deps, null, idOf(context), requestSource(context));
  return { to: '/alert-channels' };
}

import type { AlertChannelChangeRequest, AlertChannelRequest } from '../../../schemas/alert-channels.ts';
import { type AuditBy, type AuditedAct, actAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { badRequest, invalidParam, missingParams, type Owner, ofOwner } from '../errors.ts';
import { privateUrlFault } from '../reading/host-names.ts';
import { parseMoment } from '../reading/moments.ts';
import { oneLine } from '../reading/one-line.ts';
import { minuteMs } from '../reading/spans.ts';
import type { ChannelChange, KeptChannel, SignalKind } from '../store/alerting.ts';
import type { ChannelType, Delivery, RuleTerms } from '../store/alerts.ts';
import type { OpenedSeverity } from '../store/incidents/incidents.ts';
import { deliveryOf } from './bodies.ts';
import { channelTypeRules } from './messages/index.ts';
import { mayOpenIncidents, readLimit } from './messages/kinds.ts';
import { testMessage } from './messages/message.ts';
import type { Target } from './messages/type.ts';
import { isSecret, newSecret } from './messages/webhook.ts';
import { parseQuietHours } from './quiet-hours.ts';
import { type RuleWords, usualKinds, usualRule } from './terms.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config' | 'reach'>;

const channelsMax = 100;

/** `madeSecret` is a generated webhook secret, shown only once. Throws 400 for an invalid target. */
export async function createChannel(
  deps: Parts,
  projectId: Owner,
  asked: AlertChannelRequest,
  by: AuditBy,
): Promise<{ channel: KeptChannel; madeSecret: string | null }> {
  const { type } = asked;
  if (type === 'email' && deps.config.smtpUrl === null) {
    throw badRequest('notifier_no_mail', 'E-mail is not available: SMTP_URL is not set.');
  }
  return actAudited(deps, by, async ({ store }) => {
    const all = await store.listChannels();
    if (all.filter((each) => each.projectId === projectId).length >= channelsMax) {
      throw badRequest(
        'notifier_too_many_alert_channels',
        `A project may have at most ${channelsMax} alert channels.`,
      );
    }
    const { address, shown } = targetOf(deps, type, asked) ?? missing(type);
    const given = secretOf(type, asked);
    const secret = given ?? (type === 'webhook' ? newSecret(deps) : '');
    const made = await store.addChannel({
      projectId,
      name: nameOf(asked.name),
      type,
      address,
      target: shown,
      secret,
      quietHours: quietHoursOf(asked.quiet_hours) ?? '',
      createdAtMs: deps.now(),
      createdBy: by.actor.name,
    });
    for (const rule of rulesOf(asked.rules) ?? usualKinds.map((kind) => usualRule(kind))) {
      await store.addRule({ ...rule, projectId }, [made.id]);
    }
    const channel = await getChannel({ store }, projectId, made.id);
    const madeSecret = given === null && type === 'webhook' ? secret : null;
    return { result: { channel, madeSecret }, told: auditEntry(channel, 'channel.created') };
  });
}

function auditEntry(
  { id, projectId, name, type, target, state, rules }: KeptChannel,
  action: `channel.${'created' | 'changed' | 'tested' | 'retried' | 'deleted'}`,
): AuditedAct {
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
  const isState = action === 'channel.created' || action === 'channel.changed';
  const summary = isState ? `${type} to ${target}, ${count}${state === 'paused' ? ', paused' : ''}` : '';
  return { action, object: { kind: 'alert_channel', id, name }, projectId, summary };
}

export async function getChannel(
  deps: Pick<Deps, 'store'>,
  projectId: Owner,
  id: number,
): Promise<KeptChannel> {
  return ofOwner(await deps.store.findKeptChannel(id), projectId, 'alert_channel');
}

/** Given rules replace the existing ones. A project cannot replace rules of the whole workspace. */
export function updateChannel(
  deps: Parts,
  projectId: Owner,
  id: number,
  asked: AlertChannelChangeRequest,
  by: AuditBy,
): Promise<KeptChannel> {
  return actAudited(deps, by, async ({ store }) => {
    const before = await getChannel({ store }, projectId, id);
    const target = targetOf(deps, before.type, asked);
    const secret = secretOf(before.type, asked);
    const quietHours = quietHoursOf(asked.quiet_hours);
    const rules = rulesOf(asked.rules);
    const change: ChannelChange = {
      ...(asked.name == null ? {} : { name: nameOf(asked.name) }),
      ...(target === null ? {} : { address: target.address, target: target.shown }),
      ...(secret === null ? {} : { secret }),
      ...(quietHours === null ? {} : { quietHours }),
      ...pauseOf(deps, before, asked),
    };
    await store.changeChannel(id, change);
    if (rules !== null) await replaceRules({ store }, projectId, before, rules);
    const result = await getChannel({ store }, projectId, id);
    return { result, told: auditEntry(result, 'channel.changed') };
  });
}

function pauseOf(
  { now }: Pick<Deps, 'now'>,
  before: KeptChannel,
  { paused, paused_until: until }: AlertChannelChangeRequest,
): ChannelChange {
  const untilMs = until == null || until === '' ? null : parseMoment(until);
  if (untilMs === null && until != null && until !== '') {
    throw invalidParam({ paused_until: 'paused_until must be a date, for example 2026-12-01T08:00:00Z.' });
  }
  if (untilMs !== null && (paused === false || untilMs <= now())) {
    throw invalidParam({ paused_until: 'paused_until must be in the future, and requires paused.' });
  }
  if (paused === true || untilMs !== null) {
    const since = before.state === 'paused' ? {} : { stateSinceMs: now() };
    return { state: 'paused', pausedUntilMs: untilMs, ...since };
  }
  if (paused !== false || before.state !== 'paused') return {};
  return { state: before.lastFault === '' ? 'on' : 'failing', pausedUntilMs: null, stateSinceMs: now() };
}

async function replaceRules(
  { store }: Pick<Deps, 'store'>,
  owner: Owner,
  { id, projectId, rules }: KeptChannel,
  next: RuleWords[],
): Promise<void> {
  for (const { id: ruleId } of rules.filter((each) => owner === null || each.projectId === owner)) {
    const kept = await store.findKeptRule(ruleId);
    const others = kept?.channelIds.filter((each) => each !== id) ?? [];
    // Rules that also notify other channels stay for those.
    if (kept !== null && others.length > 0) await store.changeRule(ruleId, kept, others);
    else await store.deleteRule(ruleId);
  }
  for (const rule of next) await store.addRule({ ...rule, projectId }, [id]);
}

export function deleteChannel(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<KeptChannel> {
  return actAudited(deps, by, async ({ store }) => {
    const there = await getChannel({ store }, projectId, id);
    const result = (await store.deleteChannel(id)) ?? there;
    return { result, told: auditEntry(result, 'channel.deleted') };
  });
}

export function testChannel(
  deps: Parts,
  projectId: Owner,
  id: number,
  pagesUrl: string | null,
  by: AuditBy,
): Promise<{ delivery: Delivery; messageId: string }> {
  return actAudited(deps, by, async ({ store }) => {
    const channel = await getChannel({ store }, projectId, id);
    if (channel.state === 'paused') {
      throw badRequest('notifier_alert_channel_paused', 'The alert channel is paused, so nothing is sent.');
    }
    const message = testMessage({ deps, pagesUrl }, channel);
    const delivery = await store.addDelivery(deliveryOf(channel, message, channel.projectId));
    return { result: { delivery, messageId: message.id }, told: auditEntry(channel, 'channel.tested') };
  });
}

export async function retryChannel(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: Owner,
  id: number,
  by: AuditBy,
): Promise<void> {
  await actAudited(deps, by, async ({ store, now }) => {
    const result = await getChannel({ store }, projectId, id);
    await store.hurryDeliveries(id, now());
    return { result, told: auditEntry(result, 'channel.retried') };
  });
}

function nameOf(name: string): string {
  const line = oneLine(name);
  if (line === '') throw invalidParam({ name: 'name must not be empty.' });
  return line;
}

function targetOf(
  { reach }: Pick<Deps, 'reach'>,
  type: ChannelType,
  { url, to }: Pick<AlertChannelChangeRequest, 'url' | 'to'>,
): Target | null {
  const [field, other] = type === 'email' ? (['to', url] as const) : (['url', to] as const);
  const text = field === 'to' ? to : url;
  if (other != null && other !== '') {
    const wrong = field === 'to' ? 'url' : 'to';
    throw invalidParam({ [wrong]: `${wrong} is not used by this type of alert channel. Use ${field}.` });
  }
  if (text == null || text === '') return null;
  const read = channelTypeRules[type].readTarget(text);
  if (typeof read === 'string') throw invalidParam({ [field]: read });
  const fault = field === 'url' ? privateUrlFault(reach, field, read.address) : null;
  if (fault !== null) throw invalidParam({ [field]: fault });
  return read;
}

function missing(type: ChannelType): never {
  throw missingParams([type === 'email' ? 'to' : 'url']);
}

function secretOf(type: ChannelType, { secret }: Pick<AlertChannelChangeRequest, 'secret'>): string | null {
  if (secret == null || secret === '') return null;
  if (type !== 'webhook') throw invalidParam({ secret: 'secret is only used by webhooks.' });
  if (!isSecret(secret)) {
    throw invalidParam({
      secret: 'secret must be 24 to 64 bytes in base64, with or without the prefix whsec_.',
    });
  }
  return secret;
}

function quietHoursOf(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (text === '' || parseQuietHours(text) !== null) return text;
  throw invalidParam({
    quiet_hours:
      'quiet_hours must be empty or a time range, for example 22:00 to 07:00 or 22:00 to 07:00 Europe/Berlin.',
  });
}

function limitOf(
  on: SignalKind,
  { count, unit, minutes }: NonNullable<NonNullable<AlertChannelRequest['rules']>[number]['limit']>,
): RuleTerms['limit'] {
  const read = readLimit(on, {
    count,
    ...(unit == null ? {} : { unit }),
    ...(minutes == null ? {} : { withinMs: minutes * minuteMs }),
  });
  if (typeof read === 'string') throw invalidParam({ rules: `rules: ${read}` });
  return read;
}

function openingOf(on: SignalKind, opens: OpenedSeverity | null | undefined): OpenedSeverity | null {
  if (opens == null || mayOpenIncidents(on)) return opens ?? null;
  throw invalidParam({ rules: `rules: ${on} cannot open an incident, because the monitor opens its own.` });
}

function rulesOf(asked: AlertChannelChangeRequest['rules']): RuleWords[] | null {
  if (asked == null) return null;
  return asked.map(({ on, name, limit, filters, fold_over: foldOver, opens_incident: opens }) =>
    usualRule(on, {
      ...(name == null ? {} : { name: nameOf(name) }),
      ...(limit == null ? {} : { limit: limitOf(on, limit) }),
      ...(foldOver == null ? {} : { foldOver }),
      opensIncident: openingOf(on, opens),
      filters: (filters ?? []).map((each) => ({
        field: each.field,
        name: each.field === 'tag' ? (each.name ?? '') : '',
        is: each.is ?? 'is',
        value: each.value,
      })),
    }),
  );
}

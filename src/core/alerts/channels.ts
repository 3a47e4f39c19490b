import type { AlertChannelChangeRequest, AlertChannelRequest } from '../../../schemas/alert-channels.ts';
import { type AuditEvent, type AuditSource, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createInvalidParamError,
  createMissingParamsError,
  type OwnerProjectId,
  requireOwner,
} from '../errors.ts';
import { toOneLine } from '../parsing/display-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { findPrivateUrlError } from '../parsing/host-names.ts';
import { parseTime } from '../parsing/timestamps.ts';
import type { ChannelChange, ChannelRecord, SignalKind } from '../store/alert-records.ts';
import type { ChannelType, Delivery, RuleTerms } from '../store/alerts.ts';
import type { AutomaticSeverity } from '../store/incidents/incidents.ts';
import { buildDelivery } from './message-bodies.ts';
import type { ChannelTarget } from './messages/channel-type.ts';
import { channelTypeHandlers } from './messages/channel-types.ts';
import { buildTestMessage } from './messages/message.ts';
import { canOpenIncidents, parseRuleLimit } from './messages/rule-kinds.ts';
import { createWebhookSecret, isWebhookSecret } from './messages/webhook.ts';
import { parseQuietHours } from './quiet-hours.ts';
import { createRuleDefinition, defaultRuleKinds, type RuleDefinition } from './rule-definitions.ts';

type Parts = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config' | 'reach'>;

const channelsMax = 100;

/** `madeSecret` is a generated webhook secret, shown only once. Throws 400 for an invalid target. */
export async function createChannel(
  deps: Parts,
  projectId: OwnerProjectId,
  asked: AlertChannelRequest,
  by: AuditSource,
): Promise<{ channel: ChannelRecord; madeSecret: string | null }> {
  const { type } = asked;
  if (type === 'email' && deps.config.smtpUrl === null) {
    throw createBadRequestError('notifier_no_mail', 'E-mail is not available: SMTP_URL is not set.');
  }
  return runAudited(deps, by, async ({ store }) => {
    const all = await store.listChannels();
    if (all.filter((each) => each.projectId === projectId).length >= channelsMax) {
      throw createBadRequestError(
        'notifier_too_many_alert_channels',
        `A project may have at most ${channelsMax} alert channels.`,
      );
    }
    const { address, shown } = readTargetChange(deps, type, asked) ?? throwMissingTarget(type);
    const given = readSecret(type, asked);
    const secret = given ?? (type === 'webhook' ? createWebhookSecret(deps) : '');
    const made = await store.addChannel({
      projectId,
      name: requireName(asked.name),
      type,
      address,
      target: shown,
      secret,
      quietHours: readQuietHours(asked.quiet_hours) ?? '',
      createdAtMs: deps.now(),
      createdBy: by.actor.name,
    });
    for (const rule of readRules(asked.rules) ?? defaultRuleKinds.map((kind) => createRuleDefinition(kind))) {
      await store.addRule({ ...rule, projectId }, [made.id]);
    }
    const channel = await getChannel({ store }, projectId, made.id);
    const madeSecret = given === null && type === 'webhook' ? secret : null;
    return { result: { channel, madeSecret }, told: auditEntry(channel, 'channel.created') };
  });
}

function auditEntry(
  { id, projectId, name, type, target, state, rules }: ChannelRecord,
  action: `channel.${'created' | 'changed' | 'tested' | 'retried' | 'deleted'}`,
): AuditEvent {
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
  const isState = action === 'channel.created' || action === 'channel.changed';
  const summary = isState ? `${type} to ${target}, ${count}${state === 'paused' ? ', paused' : ''}` : '';
  return { action, object: { kind: 'alert_channel', id, name }, projectId, summary };
}

export async function getChannel(
  deps: Pick<Deps, 'store'>,
  projectId: OwnerProjectId,
  id: number,
): Promise<ChannelRecord> {
  return requireOwner(await deps.store.findKeptChannel(id), projectId, 'alert_channel');
}

/** Given rules replace the existing ones. A project cannot replace rules of the whole workspace. */
export function updateChannel(
  deps: Parts,
  projectId: OwnerProjectId,
  id: number,
  asked: AlertChannelChangeRequest,
  by: AuditSource,
): Promise<ChannelRecord> {
  return runAudited(deps, by, async ({ store }) => {
    const before = await getChannel({ store }, projectId, id);
    const target = readTargetChange(deps, before.type, asked);
    const secret = readSecret(before.type, asked);
    const quietHours = readQuietHours(asked.quiet_hours);
    const rules = readRules(asked.rules);
    const change: ChannelChange = {
      ...(asked.name == null ? {} : { name: requireName(asked.name) }),
      ...(target === null ? {} : { address: target.address, target: target.shown }),
      ...(secret === null ? {} : { secret }),
      ...(quietHours === null ? {} : { quietHours }),
      ...readPauseChange(deps, before, asked),
    };
    await store.changeChannel(id, change);
    if (rules !== null) await replaceRules({ store }, projectId, before, rules);
    const result = await getChannel({ store }, projectId, id);
    return { result, told: auditEntry(result, 'channel.changed') };
  });
}

function readPauseChange(
  { now }: Pick<Deps, 'now'>,
  before: ChannelRecord,
  { paused, paused_until: until }: AlertChannelChangeRequest,
): ChannelChange {
  const untilMs = until == null || until === '' ? null : parseTime(until);
  if (untilMs === null && until != null && until !== '') {
    throw createInvalidParamError({
      paused_until: 'paused_until must be a date, for example 2026-12-01T08:00:00Z.',
    });
  }
  if (untilMs !== null && (paused === false || untilMs <= now())) {
    throw createInvalidParamError({
      paused_until: 'paused_until must be in the future, and requires paused.',
    });
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
  owner: OwnerProjectId,
  { id, projectId, rules }: ChannelRecord,
  next: RuleDefinition[],
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
  projectId: OwnerProjectId,
  id: number,
  by: AuditSource,
): Promise<ChannelRecord> {
  return runAudited(deps, by, async ({ store }) => {
    const there = await getChannel({ store }, projectId, id);
    const result = (await store.deleteChannel(id)) ?? there;
    return { result, told: auditEntry(result, 'channel.deleted') };
  });
}

export function testChannel(
  deps: Parts,
  projectId: OwnerProjectId,
  id: number,
  pagesUrl: string | null,
  by: AuditSource,
): Promise<{ delivery: Delivery; messageId: string }> {
  return runAudited(deps, by, async ({ store }) => {
    const channel = await getChannel({ store }, projectId, id);
    if (channel.state === 'paused') {
      throw createBadRequestError(
        'notifier_alert_channel_paused',
        'The alert channel is paused, so nothing is sent.',
      );
    }
    const message = buildTestMessage({ deps, pagesUrl }, channel);
    const delivery = await store.addDelivery(buildDelivery(channel, message, channel.projectId));
    return { result: { delivery, messageId: message.id }, told: auditEntry(channel, 'channel.tested') };
  });
}

export async function retryChannel(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: OwnerProjectId,
  id: number,
  by: AuditSource,
): Promise<void> {
  await runAudited(deps, by, async ({ store, now }) => {
    const result = await getChannel({ store }, projectId, id);
    await store.hurryDeliveries(id, now());
    return { result, told: auditEntry(result, 'channel.retried') };
  });
}

function requireName(name: string): string {
  const line = toOneLine(name);
  if (line === '') throw createInvalidParamError({ name: 'name must not be empty.' });
  return line;
}

function readTargetChange(
  { reach }: Pick<Deps, 'reach'>,
  type: ChannelType,
  { url, to }: Pick<AlertChannelChangeRequest, 'url' | 'to'>,
): ChannelTarget | null {
  const [field, other] = type === 'email' ? (['to', url] as const) : (['url', to] as const);
  const text = field === 'to' ? to : url;
  if (other != null && other !== '') {
    const wrong = field === 'to' ? 'url' : 'to';
    throw createInvalidParamError({
      [wrong]: `${wrong} is not used by this type of alert channel. Use ${field}.`,
    });
  }
  if (text == null || text === '') return null;
  const read = channelTypeHandlers[type].readTarget(text);
  if (typeof read === 'string') throw createInvalidParamError({ [field]: read });
  const fault = field === 'url' ? findPrivateUrlError(reach, field, read.address) : null;
  if (fault !== null) throw createInvalidParamError({ [field]: fault });
  return read;
}

function throwMissingTarget(type: ChannelType): never {
  throw createMissingParamsError([type === 'email' ? 'to' : 'url']);
}

function readSecret(type: ChannelType, { secret }: Pick<AlertChannelChangeRequest, 'secret'>): string | null {
  if (secret == null || secret === '') return null;
  if (type !== 'webhook') throw createInvalidParamError({ secret: 'secret is only used by webhooks.' });
  if (!isWebhookSecret(secret)) {
    throw createInvalidParamError({
      secret: 'secret must be 24 to 64 bytes in base64, with or without the prefix whsec_.',
    });
  }
  return secret;
}

function readQuietHours(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (text === '' || parseQuietHours(text) !== null) return text;
  throw createInvalidParamError({
    quiet_hours:
      'quiet_hours must be empty or a time range, for example 22:00 to 07:00 or 22:00 to 07:00 Europe/Berlin.',
  });
}

function readRuleLimit(
  on: SignalKind,
  { count, unit, minutes }: NonNullable<NonNullable<AlertChannelRequest['rules']>[number]['limit']>,
): RuleTerms['limit'] {
  const read = parseRuleLimit(on, {
    count,
    ...(unit == null ? {} : { unit }),
    ...(minutes == null ? {} : { withinMs: minutes * minuteMs }),
  });
  if (typeof read === 'string') throw createInvalidParamError({ rules: `rules: ${read}` });
  return read;
}

function readOpenedSeverity(
  on: SignalKind,
  opens: AutomaticSeverity | null | undefined,
): AutomaticSeverity | null {
  if (opens == null || canOpenIncidents(on)) return opens ?? null;
  throw createInvalidParamError({
    rules: `rules: ${on} cannot open an incident, because the monitor opens its own.`,
  });
}

function readRules(asked: AlertChannelChangeRequest['rules']): RuleDefinition[] | null {
  if (asked == null) return null;
  return asked.map(({ on, name, limit, filters, fold_over: foldOver, opens_incident: opens }) =>
    createRuleDefinition(on, {
      ...(name == null ? {} : { name: requireName(name) }),
      ...(limit == null ? {} : { limit: readRuleLimit(on, limit) }),
      ...(foldOver == null ? {} : { foldOver }),
      opensIncident: readOpenedSeverity(on, opens),
      filters: (filters ?? []).map((each) => ({
        field: each.field,
        name: each.field === 'tag' ? (each.name ?? '') : '',
        is: each.is ?? 'is',
        value: each.value,
      })),
    }),
  );
}

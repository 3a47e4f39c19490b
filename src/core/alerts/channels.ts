import {
  type ChannelFieldName,
  type ChannelFields,
  channelFieldNames,
  splitRecipients,
} from '../../../schemas/alert-channel-fields.ts';
import { type AlertChannelChangeRequest, storedRuleKind } from '../../../schemas/alert-channels.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createGetter,
  createInvalidParamError,
  createMissingParamsError,
  createTooManyError,
  type OwnerProjectId,
  requireOwner,
} from '../errors.ts';
import { requireLine } from '../parsing/display-text.ts';
import { minuteMs } from '../parsing/durations.ts';
import { findPrivateUrlError } from '../parsing/host-names.ts';
import { readPauseEnd } from '../parsing/timestamps.ts';
import type { ChannelChange, ChannelRecord, SignalKind } from '../store/alert-records.ts';
import type { Delivery, RuleConditions } from '../store/alerts.ts';
import type { AutomaticSeverity } from '../store/incidents.ts';
import type { Member } from '../store/members.ts';
import type { AlertChannelRequest } from './channel-schemas.ts';
import { leaseMs } from './deliver.ts';
import { buildDelivery } from './message-bodies.ts';
import { channelSettings, channelTypeOf } from './messages/channel-types.ts';
import { buildTestMessage } from './messages/message.ts';
import { canOpenIncidents, parseRuleLimit, ruleKindTexts } from './messages/rule-kinds.ts';
import { createWebhookSecret, findTemplateError } from './messages/webhook.ts';
import { addDeliveries, requireDelivery } from './push-subscriptions.ts';
import { parseQuietHours } from './quiet-hours.ts';
import {
  createRuleDefinition,
  defaultRuleKinds,
  findFilterError,
  type RuleDefinition,
} from './rule-definitions.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config' | 'reach'>;

const channelsMax = 100;

/** `madeSecret` is a generated webhook secret, shown only once. Throws 400 for an invalid target. */
export async function createChannel(
  deps: ServiceDeps,
  projectId: OwnerProjectId,
  input: AlertChannelRequest,
  by: AuditSource,
): Promise<{ channel: ChannelRecord; madeSecret: string | null }> {
  const { type } = input;
  refuseUnavailableType(deps, type);
  return runAudited(deps, by, async ({ store }) => {
    const all = await store.listChannels();
    if (all.filter((each) => each.projectId === projectId).length >= channelsMax) {
      throw createTooManyError('notifier_too_many_alert_channels', `${channelsMax} alert channels`);
    }
    const stored = readChannelFields(deps, type, {}, input);
    const record = await store.addChannel({
      projectId,
      name: requireLine(input.name, 'name'),
      type,
      ...stored,
      quietHours: readQuietHours(input.quiet_hours) ?? '',
      createdAtMs: deps.now(),
      createdBy: by.actor.name,
    });
    for (const rule of readRules(input.rules) ?? defaultRuleKinds.map((kind) => createRuleDefinition(kind))) {
      await store.addRule({ ...rule, projectId }, [record.id]);
    }
    const channel = await getChannel({ store }, projectId, record.id);
    const isGiven = input.secret != null && input.secret !== '';
    const madeSecret = type === 'webhook' && !isGiven ? stored.secret : null;
    return { result: { channel, madeSecret }, auditEvent: auditEntry(channel, 'channel.created') };
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

export const getChannel = createGetter('alert_channel', (store: Deps['store'], id) =>
  store.findChannelRecord(id),
);

/** Given rules replace the existing ones. A project cannot replace rules of the whole workspace. */
export function updateChannel(
  deps: ServiceDeps,
  projectId: OwnerProjectId,
  id: number,
  changes: AlertChannelChangeRequest,
  by: AuditSource,
): Promise<ChannelRecord> {
  return runAudited(deps, by, async ({ store }) => {
    const before = await getChannel({ store }, projectId, id);
    const isFieldGiven = channelFieldNames.some((name) => isGiven(before.type, name, changes[name]));
    const quietHours = readQuietHours(changes.quiet_hours);
    const rules = readRules(changes.rules);
    const change: ChannelChange = {
      ...(changes.name == null ? {} : { name: requireLine(changes.name, 'name') }),
      ...(isFieldGiven ? readChannelFields(deps, before.type, storedFields(before), changes) : {}),
      ...(quietHours === null ? {} : { quietHours }),
      ...readPauseChange(deps, before, changes),
    };
    await store.changeChannel(id, change);
    if (rules !== null) await replaceRules({ store }, projectId, before, rules);
    const result = await getChannel({ store }, projectId, id);
    return { result, auditEvent: auditEntry(result, 'channel.changed') };
  });
}

function readPauseChange(
  { now }: Pick<Deps, 'now'>,
  before: ChannelRecord,
  changes: AlertChannelChangeRequest,
): ChannelChange {
  const { paused } = changes;
  const untilMs = readPauseEnd(changes, now());
  if (paused === true || untilMs !== null) {
    const since = before.state === 'paused' ? {} : { stateSinceMs: now() };
    return { state: 'paused', pausedUntilMs: untilMs, ...since };
  }
  if (paused !== false || before.state !== 'paused') return {};
  return { state: before.lastError === '' ? 'on' : 'failing', pausedUntilMs: null, stateSinceMs: now() };
}

async function replaceRules(
  { store }: Pick<Deps, 'store'>,
  owner: OwnerProjectId,
  { id, projectId, rules }: ChannelRecord,
  next: RuleDefinition[],
): Promise<void> {
  for (const { id: ruleId } of rules.filter((each) => owner === null || each.projectId === owner)) {
    const record = await store.findRuleRecord(ruleId);
    const others = record?.channelIds.filter((each) => each !== id) ?? [];
    // Rules that also notify other channels stay for those.
    if (record !== null && others.length > 0) await store.changeRule(ruleId, record, others);
    else await store.deleteRule(ruleId);
  }
  for (const rule of next) await store.addRule({ ...rule, projectId }, [id]);
}

export const deleteChannel = audited(async ({ store }, projectId: OwnerProjectId, id: number) => {
  const existing = await getChannel({ store }, projectId, id);
  const result = (await store.deleteChannel(id)) ?? existing;
  return { result, auditEvent: auditEntry(result, 'channel.deleted') };
});

/** Removes the member's own address from the recipients. Throws 400 if it is none of them, or the last. */
export function unsubscribe(
  deps: ServiceDeps,
  id: number,
  member: Pick<Member, 'email'> | null,
  by: AuditSource,
): Promise<ChannelRecord> {
  return runAudited(deps, by, async ({ store }) => {
    const before = requireOwner(await findChannelToLeave(store, id, member), null, 'alert_channel');
    const { recipient, others } = findRecipient(before, member);
    if (recipient === null) {
      throw createBadRequestError('notifier_no_recipient', 'Your address is no recipient of this channel.');
    }
    if (others.length === 0) {
      throw createBadRequestError(
        'notifier_last_recipient',
        'You are the only recipient. An admin can pause or delete the channel.',
      );
    }
    const { address, target } = readChannelFields(deps, 'email', {}, { to: others.join(', ') });
    const result = (await store.changeChannel(id, { address, target })) ?? before;
    return { result, auditEvent: auditEntry(result, 'channel.changed') };
  });
}

/** Also a channel that the member does not see otherwise, if it sends to their address. */
export async function findChannelToLeave(
  store: Pick<Deps['store'], 'findChannelRecord' | 'findChannelOfRecipient'>,
  id: number,
  member: Pick<Member, 'email'> | null,
): Promise<ChannelRecord | null> {
  const email = member?.email ?? null;
  const recipientChannel = email === null ? null : await store.findChannelOfRecipient(id, email);
  return recipientChannel ?? store.findChannelRecord(id);
}

/** The member's address among the recipients, as it stands there. */
export function findRecipient(
  { type, address }: Pick<ChannelRecord, 'type' | 'address'>,
  member: Pick<Member, 'email'> | null,
): { readonly recipient: string | null; readonly others: readonly string[] } {
  const all = type === 'email' ? splitRecipients(address) : [];
  const memberEmail = member?.email?.toLowerCase();
  return {
    recipient: all.find((each) => each.toLowerCase() === memberEmail) ?? null,
    others: all.filter((each) => each.toLowerCase() !== memberEmail),
  };
}

export function testChannel(
  deps: ServiceDeps,
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
    refuseWithoutRecipient(channel);
    const message = buildTestMessage({ deps, pagesUrl }, channel);
    const test = buildDelivery(channel, message, channel.projectId);
    const delivery = requireDelivery(await addDeliveries({ ...deps, store }, channel, test));
    return { result: { delivery, messageId: message.id }, auditEvent: auditEntry(channel, 'channel.tested') };
  });
}

/** Deliveries that wait for their next try are sent at once; those due within 15 s are left to that. */
export const retryChannel = audited(async ({ store, now }, projectId: OwnerProjectId, id: number) => {
  const result = await getChannel({ store }, projectId, id);
  await store.retryDeliveriesNow(id, now(), leaseMs);
  return { result, auditEvent: auditEntry(result, 'channel.retried') };
});

/** Why channels of the type cannot be used here; null if they can. */
export function unavailableReason({ config }: Pick<Deps, 'config'>, type: string): string | null {
  const isMail = type === 'email' || type === 'assignee';
  return isMail && config.smtpUrl === null ? 'Needs SMTP_URL' : null;
}

export function refuseUnavailableType(deps: Pick<Deps, 'config'>, type: string): void {
  if (unavailableReason(deps, type) === null) return;
  throw createBadRequestError('notifier_no_mail', 'E-mail is not available: SMTP_URL is not set.');
}

/** A test is about no issue, so that nobody is assigned. */
export function hasTestRecipient({ type, address }: Pick<ChannelRecord, 'type' | 'address'>): boolean {
  return type !== 'assignee' || address !== '';
}

/** Throws 400 for a channel that has no recipient for a test. */
export function refuseWithoutRecipient(channel: Pick<ChannelRecord, 'type' | 'address'>): void {
  if (hasTestRecipient(channel)) return;
  throw createBadRequestError(
    'notifier_no_recipient',
    'A test has no assignee: enter recipients for issues without one to send it to.',
  );
}

export type GivenFields = { readonly [Name in ChannelFieldName]?: string | null | undefined };
type StoredTarget = Pick<ChannelRecord, 'address' | 'target' | 'secret' | 'settings'>;

export function storedFields({ type, address, secret, settings }: ChannelRecord): ChannelFields {
  const fields = channelTypeOf(type).fields;
  return {
    ...('url' in fields && address !== '' ? { url: address } : {}),
    ...('to' in fields && address !== '' ? { to: address } : {}),
    ...('secret' in fields && secret !== '' ? { secret } : {}),
    ...settings,
  };
}

/** An empty field keeps what is stored; empty recipients, where they are optional, remove it. */
function isGiven(type: string, name: ChannelFieldName, value: string | null | undefined): boolean {
  const isRemovable = name === 'to' && channelTypeOf(type).fields.to?.optional === true;
  return value != null && (value !== '' || isRemovable);
}

/** Error sentences by field, and what they stand for if there are none. What is not given stays as in `before`. */
export function parseChannelFields(
  { reach }: Pick<Deps, 'reach'>,
  type: string,
  before: ChannelFields,
  given: GivenFields,
): { readonly errors: Record<string, string>; readonly fields: ChannelFields } {
  const known = Object.keys(channelTypeOf(type).fields);
  const used = Object.entries(given).filter(
    ([name, value]) => isFieldName(name) && isGiven(type, name, value),
  ) as Array<[ChannelFieldName, string]>;
  const errors: Record<string, string> = {};
  for (const [name] of used) {
    if (known.includes(name)) continue;
    const use = known.length === 0 ? '' : ` Use ${known.join(', ')}.`;
    errors[name] = `${name} is not used by this type of alert channel.${use}`;
  }
  const namesToReenter = keysToEnterAgain(type, before, Object.fromEntries(used));
  for (const name of namesToReenter) {
    errors[name] ??= `${name} must be entered again, because the URL leads to another server.`;
  }
  const keptFields = withoutOtherGroups(type, before, Object.fromEntries(used));
  const merged = Object.entries<string>({ ...keptFields, ...Object.fromEntries(used) });
  const fields: ChannelFields = Object.fromEntries(merged.filter(([, value]) => value !== ''));
  const parsed = channelSettings.safeParse({ type, ...fields }, { reportInput: true });
  for (const { path, message, input } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    const sentence = /^[a-z]/.test(message) ? `${name} ${message}` : message;
    errors[name] ??= input === undefined ? missingField : sentence;
  }
  if (fields.template !== undefined && errors['template'] === undefined) {
    const error = findTemplateError(fields.template, sampleMessage);
    if (error !== null) errors['template'] = error;
  }
  if (Object.keys(errors).length > 0) return { errors, fields };
  if (fields.url !== undefined) {
    const { address } = channelTypeOf(type).targetOf(fields);
    const error = findPrivateUrlError(reach, 'url', address);
    if (error !== null) errors['url'] = error;
  }
  return { errors, fields };
}

/** What is given of one group of `oneOf` replaces what is stored of another. */
function withoutOtherGroups(type: string, before: ChannelFields, given: ChannelFields): ChannelFields {
  const groups = channelTypeOf(type).oneOf?.groups ?? [];
  const isUsed = (group: readonly ChannelFieldName[]) => group.some((name) => given[name] !== undefined);
  if (!groups.some(isUsed)) return before;
  const others = groups.filter((group) => !isUsed(group)).flat();
  return Object.fromEntries(
    Object.entries(before).filter(([name]) => !others.includes(name as ChannelFieldName)),
  );
}

/** A stored key is never sent to another server than the one it was entered for. A signing secret is not sent. */
function keysToEnterAgain(type: string, before: ChannelFields, given: ChannelFields): ChannelFieldName[] {
  if (given.url === undefined || before.url === undefined) return [];
  if (URL.parse(given.url)?.origin === URL.parse(before.url)?.origin) return [];
  const { fields } = channelTypeOf(type);
  return (['token', 'user'] as const).filter(
    (name) => fields[name]?.secret === true && before[name] !== undefined && given[name] === undefined,
  );
}

export const missingField = 'missing';
const isFieldName = (name: string): name is ChannelFieldName =>
  (channelFieldNames as readonly string[]).includes(name);
const sampleMessage = buildTestMessage(
  { deps: { now: () => 0, randomBytes: (count) => Buffer.alloc(count) }, pagesUrl: null },
  { id: 0, name: '' },
);

/** Throws 400 for invalid and missing fields. */
export function readChannelFields(
  deps: Pick<Deps, 'reach' | 'randomBytes'>,
  type: string,
  before: ChannelFields,
  given: GivenFields,
): StoredTarget {
  const { errors, fields } = parseChannelFields(deps, type, before, given);
  const invalid = Object.entries(errors).filter(([, sentence]) => sentence !== missingField);
  if (invalid.length > 0) throw createInvalidParamError(Object.fromEntries(invalid));
  const missing = Object.keys(errors);
  if (missing.length > 0) throw createMissingParamsError(missing);
  return storeFields(deps, type, fields);
}

function storeFields(deps: Pick<Deps, 'randomBytes'>, type: string, fields: ChannelFields): StoredTarget {
  const { address, shown } = channelTypeOf(type).targetOf(fields);
  const {
    url: _url,
    to: _to,
    secret = type === 'webhook' ? createWebhookSecret(deps) : '',
    ...settings
  } = fields;
  return { address, target: shown, secret, settings };
}

function readQuietHours(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (text === '' || parseQuietHours(text) !== null) return text;
  throw createInvalidParamError({
    quiet_hours:
      'quiet_hours must be empty or a time range, for example 22:00 to 07:00 or 22:00 to 07:00 Europe/Berlin.',
  });
}

type RequestedRule = NonNullable<AlertChannelRequest['rules']>[number];

function readRuleLimit({ on, limit }: RequestedRule): RuleConditions['limit'] | undefined {
  const kind = storedRuleKind(on);
  // `users.above` is stored as a limit of users.
  const unit = on === 'users.above' ? 'users' : limit?.unit;
  if (limit == null && unit === undefined) return undefined;
  const read = parseRuleLimit(kind, {
    count: limit?.count ?? ruleKindTexts[kind].limit?.count ?? 0,
    ...(unit == null ? {} : { unit }),
    ...(limit?.minutes == null ? {} : { withinMs: limit.minutes * minuteMs }),
  });
  if (typeof read !== 'string') return read;
  throw createInvalidParamError({ rules: `rules: ${read.replaceAll(kind, on)}` });
}

function readOpenedSeverity(on: SignalKind, opens: AutomaticSeverity | null | undefined) {
  if (opens == null || canOpenIncidents(on)) return opens ?? null;
  throw createInvalidParamError({
    rules: `rules: ${on} cannot open an incident, because it is no fault, or has an incident of its own.`,
  });
}

function readRules(changes: AlertChannelChangeRequest['rules']): RuleDefinition[] | null {
  if (changes == null) return null;
  return changes.map((rule) => {
    const {
      on,
      name,
      filters,
      group_threshold: threshold,
      fold_over: deprecatedThreshold,
      opens_incident: opens,
    } = rule;
    const kind = storedRuleKind(on);
    const limit = readRuleLimit(rule);
    const groupThreshold = threshold ?? deprecatedThreshold;
    const conditions = (filters ?? []).map((each) => ({
      field: each.field,
      name: each.field === 'tag' ? (each.name ?? '') : '',
      is: each.is ?? 'is',
      value: each.value,
    }));
    const filterError = findFilterError(kind, conditions);
    if (filterError !== null) throw createInvalidParamError({ rules: `rules: ${filterError}` });
    return createRuleDefinition(kind, {
      ...(name == null ? {} : { name: requireLine(name, 'name') }),
      ...(limit === undefined ? {} : { limit }),
      ...(groupThreshold == null ? {} : { groupThreshold }),
      opensIncident: readOpenedSeverity(kind, opens),
      filters: conditions,
    });
  });
}

// A project stores the version that its events were grouped by (docs/grouping.md, "When the rule changes").

import { hash } from 'node:crypto';
import type { NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import type { Grouping, SecondaryHash } from '../store/events.ts';
import { addImageAddresses, parseAddress } from './debug-images.ts';
import { chainMax, computeFingerprint, groupedExceptionsMax, groupingAlgorithm } from './fingerprint.ts';
import { isUnknownName } from './names/function-names.ts';
import { isSystemBinary } from './normalize-frame.ts';
import { languageOfMessage, parameterizeMessage } from './parameterize-message.ts';
import { isCompiled } from './stacks/compiled-names.ts';
import { isExceptionGroup } from './stacks/exception-tree.ts';

export const newestGrouping = groupingAlgorithm;

/** The newest grouping; the secondary hash is only computed when called. */
export function groupEvent(event: NormalizedEvent) {
  const grouping = computeFingerprint(event);
  return { grouping, secondaryHash: () => computeSecondaryHash(event, grouping) };
}

/** Null without stack or with a client's fingerprint. Includes messages: functions alone do not distinguish errors. */
export function computeSecondaryHash(event: NormalizedEvent, grouping: Grouping): SecondaryHash | null {
  if (!usesStack(grouping)) return null;
  const plainEvent = withoutKnowledge(event);
  const plain = plainEvent === event ? grouping : computeFingerprint(plainEvent);
  if (!usesStack(plain)) return null;
  return {
    hash: hash('sha256', ['plain', plain.hash, ...messagesOf(event)].join('\0')),
    hasSource: plain.hash !== grouping.hash,
  };
}

function usesStack({ source }: Grouping): boolean {
  return source === 'stacktrace' || source === 'thread';
}

function messagesOf({ exception, platform }: NormalizedEvent): string[] {
  const chain = exception?.values ?? [];
  // Members of a group have a random order.
  const isSorted = chain.some(isExceptionGroup);
  const messages = chain
    .slice(isSorted ? -groupedExceptionsMax : -chainMax)
    .map(
      (one) => parameterizeMessage(one.value ?? '', one.type ?? '', languageOfMessage(one, platform)).text,
    );
  return isSorted ? [...new Set(messages)].sort() : messages;
}

function withoutKnowledge(event: NormalizedEvent): NormalizedEvent {
  let isChanged = false;
  const stripFrames = <Holder extends { readonly stacktrace?: Stacktrace | undefined }>(
    holder: Holder,
  ): Holder => {
    const located = addImageAddresses(holder.stacktrace, event, { named: true });
    const frames = located?.frames.map((frame) => bareFrame(frame, event.platform));
    if (frames === undefined || frames.every((frame, at) => frame === located?.frames[at])) return holder;
    isChanged = true;
    return { ...holder, stacktrace: { ...holder.stacktrace, frames } };
  };
  const { exception, threads } = event;
  const stripped = {
    ...event,
    ...(exception === undefined
      ? {}
      : { exception: { ...exception, values: exception.values.map(stripFrames) } }),
    ...(threads === undefined ? {} : { threads: { ...threads, values: threads.values.map(stripFrames) } }),
  };
  return isChanged ? stripped : event;
}

function bareFrame(frame: StackFrame, platform: string): StackFrame {
  if (isSymbolicated(frame, platform)) {
    const { package: binary, instruction_addr: at, image_addr: base, in_app: isOwn } = frame;
    return {
      ...(binary === undefined ? {} : { package: binary }),
      ...(isOwn === undefined ? {} : { in_app: isOwn }),
      instruction_addr: at,
      image_addr: base,
      ...(frame.platform === undefined ? {} : { platform: frame.platform }),
    };
  }
  const unnamed = withoutClosureMaker(frame, platform);
  if (unnamed !== frame) return bareFrame(unnamed, platform);
  const head = isJsonObject(frame['data']) ? frame['data']['head'] : undefined;
  if (frame.context_line === undefined && frame.pre_context === undefined && head === undefined) return frame;
  const { context_line: _line, pre_context: _before, post_context: _behind, ...rest } = frame;
  return head === undefined ? rest : { ...rest, data: { ...(frame['data'] as object), head: undefined } };
}

/** Only PHP 8.4 and newer name the method that made a closure. */
function withoutClosureMaker(frame: StackFrame, platform: string): StackFrame {
  const name = frame.function ?? '';
  const at = (frame.platform ?? platform) === 'php' ? name.indexOf('{closure:') : -1;
  return at === -1 ? frame : { ...frame, function: `${name.slice(0, at)}{closure}` };
}

/** System libraries have symbols on every host. */
function isSymbolicated(frame: StackFrame, platform: string): boolean {
  if (isUnknownName(frame.function ?? '') || !isCompiled(frame, frame.platform ?? platform)) return false;
  const [at, base] = [parseAddress(frame['instruction_addr']), parseAddress(frame['image_addr'])];
  return at !== null && base !== null && at >= base && !isSystemBinary(frame);
}

export function viewGrouping({ algorithm, source, parts, notes }: Grouping) {
  return { algorithm, source, parts: [...parts], notes: [...notes] };
}

import type { NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { isJsonObject } from '../parsing/unknown-values.ts';
import { isUnknownName } from './names/function-names.ts';

const imagesMax = 512;

/** Adds `image_addr` to frames without one: only those without a symbol, unless `named`. */
export function addImageAddresses(
  stack: Stacktrace | undefined,
  event: NormalizedEvent,
  { named = false }: { readonly named?: boolean } = {},
): Stacktrace | undefined {
  const listed = event.debug_meta?.['images'];
  const needsFrameImage = (frame: StackFrame): boolean => needsImage(frame, named);
  if (stack === undefined || !Array.isArray(listed) || !stack.frames.some(needsFrameImage)) return stack;
  const images = listed.slice(0, imagesMax).flatMap(imageOf);
  const located = (frame: StackFrame): StackFrame => {
    const at = needsFrameImage(frame) ? parseAddress(frame['instruction_addr']) : null;
    const image = at === null ? undefined : images.find(({ start, end }) => at >= start && at < end);
    return image === undefined ? frame : { ...frame, image_addr: image.address };
  };
  return { ...stack, frames: stack.frames.map(located) };
}

function needsImage(frame: StackFrame, named: boolean): boolean {
  return (
    frame['instruction_addr'] !== undefined &&
    frame['image_addr'] === undefined &&
    (named || isUnknownName(frame.function ?? ''))
  );
}

function imageOf(listed: unknown) {
  if (!isJsonObject(listed)) return [];
  const { image_addr: address, image_size: size } = listed;
  const start = parseAddress(address);
  if (start === null || typeof address !== 'string') return [];
  const bytes = typeof size === 'number' && Number.isSafeInteger(size) && size > 0 ? size : 2 ** 26;
  return [{ start, end: start + BigInt(bytes), address }];
}

/** Null for anything but hex such as `0x104a40000`. */
export function parseAddress(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value) ? BigInt(value) : null;
}

// Frames that a newer version of Python no longer has. Part of `ng2` (docs/grouping.md, "Frames").
import type { StackFrame } from '../../../../schemas/event.ts';

const comprehension = /^<(?:list|dict|set)comp>$/;

/**
 * The frames as Python 3.12 and newer gives them: a comprehension runs in the function around it, at the line
 * where it stands (PEP 709). Older versions have a frame for each. The same array where nothing is inlined.
 */
export function withInlinedComprehensions(
  frames: readonly StackFrame[],
  platform: string,
): readonly StackFrame[] {
  const isOne = (frame: StackFrame): boolean =>
    (frame.platform ?? platform) === 'python' && comprehension.test(frame.function ?? '');
  if (!frames.some(isOne)) return frames;
  const joined: StackFrame[] = [];
  for (const frame of frames) {
    const around = joined.at(-1);
    const isInside = around !== undefined && isOne(frame) && around.filename === frame.filename;
    if (!isInside) joined.push(frame);
    else joined[joined.length - 1] = { ...frame, function: around.function };
  }
  return joined;
}

// Recursion through several functions, cut where it always is cut. Part of `ng2` (docs/grouping.md,
// "Frames").
import type { Frame } from './frame.ts';

const ringMax = 6;
const cyclesMin = 3;

/**
 * The stack without its newest frames up to where the ring of a recursion begins: which of its functions met
 * the end of the stack is chance. A stack without such a ring as it is.
 */
export function steadyRing<Each extends Frame>(frames: readonly Each[]): readonly Each[] {
  for (let ring = 2; ring <= ringMax && ring * cyclesMin <= frames.length; ring += 1) {
    if (!isRing(frames, ring)) continue;
    const names = frames.slice(-ring).map(({ file, function: name }) => `${file} ${name}`);
    if (new Set(names).size < 2) return frames;
    const first = names.indexOf([...names].sort()[0] as string);
    return frames.slice(0, frames.length - (ring - 1 - first));
  }
  return frames;
}

function isRing(frames: readonly Frame[], ring: number): boolean {
  for (let back = 1; back <= ring * (cyclesMin - 1); back += 1) {
    const later = frames[frames.length - back] as Frame;
    const earlier = frames[frames.length - back - ring] as Frame;
    if (later.file !== earlier.file || later.function !== earlier.function) return false;
  }
  return true;
}

/** A call that repeats itself, directly or in a ring of up to six, counts once, however deep it went. */
export function withoutRecursion<Each extends Frame>(frames: readonly Each[]): Each[] {
  const kept: Each[] = [];
  for (const frame of frames) {
    kept.push(frame);
    for (let ring = 1; ring <= ringMax && ring * 2 <= kept.length; ring += 1) {
      if (repeats(kept, ring)) {
        kept.length -= ring;
        break;
      }
    }
  }
  return kept;
}

function repeats(frames: readonly Frame[], ring: number): boolean {
  for (let back = 1; back <= ring; back += 1) {
    const later = frames[frames.length - back];
    const earlier = frames[frames.length - back - ring];
    if (later === undefined || earlier === undefined || !sameCall(earlier, later)) return false;
  }
  return true;
}

/** Functions without a name are told apart by their line. */
function sameCall(a: Frame, b: Frame): boolean {
  if (a.file !== b.file || a.function !== b.function) return false;
  return a.function !== '' || a.frame.lineno === b.frame.lineno;
}

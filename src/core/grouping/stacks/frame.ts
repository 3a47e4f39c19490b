// A frame as it is read for a key (docs/grouping.md, "Frames").
import type { StackFrame } from '../../../../schemas/event.ts';

/** A frame with its names as they were cleaned, and its place in the stack. */
export interface Frame {
  readonly frame: StackFrame;
  readonly file: string;
  readonly function: string;
  readonly index: number;
}

/** Whether a platform speaks JavaScript. */
export function isJavaScript(platform: string): boolean {
  return platform === 'javascript' || platform === 'node';
}

import type { StackFrame } from '../../../../schemas/event.ts';

export interface Frame {
  readonly frame: StackFrame;
  readonly file: string;
  readonly function: string;
  readonly index: number;
}

export function isJavaScript(platform: string): boolean {
  return platform === 'javascript' || platform === 'node';
}

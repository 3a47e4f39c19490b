import type { Dispatcher } from './dispatch.ts';
export function registerBatch(_server: Dispatcher): void {}

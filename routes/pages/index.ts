// All pages and acts of the workspace: one list, one line a noun.
import type { Declaration } from '../../src/http/pages/declare.ts';
import { helpPages } from './help.ts';

/** The declarations of every page, file and act. */
export function workspacePages(): Declaration[] {
  return [...helpPages()];
}

// /help: how the pages are used.
import { helpModel } from '../../src/core/workspace/help.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { helpPage } from '../../src/pages/help/help.ts';

/** The page of keys, words and numbers. */
export function helpPages(): Declaration[] {
  return [page({ path: '/help', model: helpModel, view: helpPage })];
}

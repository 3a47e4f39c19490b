// /search: over everything there is.
import { searchModel } from '../../src/core/workspace/search.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { searchPage } from '../../src/pages/search/search.ts';

/** Search over all. */
export function searchPages(): Declaration[] {
  return [page({ path: '/search', model: searchModel, view: searchPage })];
}

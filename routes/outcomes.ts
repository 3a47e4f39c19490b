// GET /outcomes: for each hour what was sent and what became of it.
import { outcomesQuery } from '../schemas/outcomes.ts';
import type { Deps } from '../src/core/deps.ts';
import { viewOutcomes } from '../src/core/outcomes/views.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { type Handler, ok } from '../src/http/api/route.ts';

/** Hours in order of time; in each, `sent` is the sum of what was accepted and of every loss. */
export function getOutcomes(deps: Deps): Handler {
  return async (request) => {
    const { hours } = parseBody(outcomesQuery, request);
    return ok(await viewOutcomes(deps, request.project, hours));
  };
}
